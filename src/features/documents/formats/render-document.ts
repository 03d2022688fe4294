// Renders a document in one of its five formats.

import { createDocumentTable } from '../rules/create-document-table.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import type { RenderDocument, DocumentFormatOptions } from './document-format.ts';
import { renderCsv } from './render-csv.ts';
import { renderHtml } from './render-html.ts';
import { renderJson } from './render-json.ts';
import { renderSvg } from './render-svg.ts';
import { renderXls } from './render-xls.ts';

const renderers = {
  json: renderJson,
  html: renderHtml,
  csv: renderCsv,
  xls: renderXls,
  svg: renderSvg,
} as const satisfies Record<string, RenderDocument>;

export type DocumentFormat = keyof typeof renderers;

export const documentFormats = Object.keys(renderers) as readonly DocumentFormat[];

/** Throws the Problem of a document that is too large, or of a graph that cannot be drawn. */
export const renderDocument = (
  format: DocumentFormat,
  head: DocumentHead,
  samples: DocumentSamples,
  options: DocumentFormatOptions,
): Uint8Array<ArrayBuffer> => renderers[format](createDocumentTable(head, samples), options);
