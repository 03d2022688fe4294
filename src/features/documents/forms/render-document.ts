// The five forms of a document.

import { createDocumentTable } from '../rules/create-document-table.ts';
import type { DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import type { RenderDocument, RenderOptions } from './document-form.ts';
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

export type DocumentForm = keyof typeof renderers;

export const documentForms = Object.keys(renderers) as readonly DocumentForm[];

/** Throws the Problem of a document that is too large, or of a chart that cannot be drawn. */
export const renderDocument = (
  form: DocumentForm,
  head: DocumentHead,
  samples: DocumentSamples,
  options: RenderOptions,
): Uint8Array<ArrayBuffer> => renderers[form](createDocumentTable(head, samples), options);
