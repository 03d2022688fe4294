// Renders a document in a format; JSON, CSV and XLS here, the others in files of their own.

import { encodeUtf8, type RenderDocument, type DocumentFormatOptions } from './document-format.ts';
import { renderHtml } from './render-html.ts';
import { renderSvg } from './render-svg.ts';
import { createDocumentTable } from '../rules/create-document-table.ts';
import type { DocumentHead, DocumentSamples, SampleColumn, SampleValue, SampleTable } from '../rules/document-table.ts';
import type { ValueType } from '../../units/catalogue/value-definition.ts';
import { csvBom, formatCsvRow } from '../../../lib/text/csv.ts';
import { LocalClock } from '../../../lib/time/local-clock.ts';
import { parseDecimalOrText } from '../../../providers/spreadsheet/cells.ts';
import { Workbook } from '../../../providers/spreadsheet/workbook.ts';

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

/**
 * An Excel 97-2003 workbook with one sheet. A cell is a number only if the spreadsheet shows it as it is written; all
 * others are texts. Local times are added to those in UTC, for people.
 */
const renderXls: RenderDocument = (table) => {
  const workbook = new Workbook({ name: 'Document', columns: exportColumnNames(table, ['local']) });
  const clock = new LocalClock(table.timeZone);
  const isNumeric = table.columns.map(({ valueType }) => numericTypes.has(valueType));
  workbook.add(
    table.rows.map(({ ms2000, utc, cells }) => [
      ms2000,
      utc,
      clock.formatTime(ms2000),
      ...cells.map((cell, column) => toSheetCell(cell, isNumeric[column] === true)),
    ]),
  );
  return joinPieces(workbook.finish());
};

const numericTypes: ReadonlySet<ValueType> = new Set(['int', 'decimal', 'duration', 'money']);

/**
 * A number without a sign, leading zeros or an exponent that a spreadsheet would not show. Trailing decimal zeros are
 * allowed.
 */
const canonicalNumber = /^(?:0|-?(?=.*[1-9])(?:0|[1-9]\d*)(?:\.\d+)?|0\.0+)$/;

function toSheetCell(cell: SampleValue | null, isNumeric: boolean): string | number | null {
  const text = cell?.text ?? null;
  if (text === null || !isNumeric || !canonicalNumber.test(text)) return text;
  const number = parseDecimalOrText(text);
  // The workbook writer does not accept a number that is spelled 1e-7.
  return typeof number === 'number' && !String(number).includes('e') ? number : text;
}

function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}

/** `otherTimes` come after UTC. */
const exportColumnNames = ({ columns }: SampleTable, otherTimes: readonly string[] = []): string[] => [
  'ms2000',
  'utc',
  ...otherTimes,
  ...columns.map(({ name }) => name),
];

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
