// Renders a document in a format; JSON and CSV here, the others in files of their own.

import { csvBom, formatCsvRow } from '../../../lib/text/csv.ts';
import { createDocumentTable } from '../rules/create-document-table.ts';
import type { DocumentHead, DocumentSamples, SampleColumn } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument, type DocumentFormatOptions } from './document-format.ts';
import { renderHtml } from './render-html.ts';
import { renderSvg } from './render-svg.ts';
import { renderXls, exportColumnNames } from './render-xls.ts';

const renderCsv: RenderDocument = (table) => {
  const rows = table.rows.map(({ ms2000, utc, cells }) =>
    formatCsvRow([ms2000, utc, ...cells.map((cell) => cell?.text)]),
  );
  return encodeUtf8(`${csvBom}${formatCsvRow(exportColumnNames(table))}${rows.join('')}`);
};

const renderJson: RenderDocument = (table) => {
  const { documentKid, unitKid, unitName, timeZone, finished, fromMs2000, throughMs2000, rows } = table;
  const columns = table.columns.map(toDocumentColumn);
  return encodeUtf8(
    JSON.stringify({ documentKid, unitKid, unitName, timeZone, finished, fromMs2000, throughMs2000, columns, rows }),
  );
};

const toDocumentColumn = ({ name, kind, label, valueType, unitOfMeasure }: SampleColumn) => ({
  name,
  kind,
  label,
  valueType,
  unitOfMeasure,
});

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
