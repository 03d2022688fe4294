// Defines the function that renders a document in one format.

import type { SampleTable } from '../rules/document-table.ts';

export type DocumentFormatOptions = {
  /** The width of a graph in pixels. */
  readonly width: number;
};

/** Renders a document in one format. Texts are UTF-8. The bytes share their memory with no other data. */
export type RenderDocument = (table: SampleTable, options: DocumentFormatOptions) => Uint8Array<ArrayBuffer>;

export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
