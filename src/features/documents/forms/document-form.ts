// What every form of a document is made by.

import type { DocumentTable } from '../rules/document-table.ts';

export type RenderOptions = {
  /** Pixels, of a chart. */
  readonly width: number;
};

/** Writes a document in one form. Texts are UTF-8. The bytes have their memory for themselves. */
export type RenderDocument = (table: DocumentTable, options: RenderOptions) => Uint8Array<ArrayBuffer>;

export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
