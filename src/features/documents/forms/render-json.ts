// Writes a document as JSON. The text is put together by hand: a document has up to half a million cells, most of them
// null, and JSON.stringify would take several times as long.

import type { DocumentColumn, DocumentRow, DocumentValue } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument } from './document-form.ts';

export const renderJson: RenderDocument = (table) => {
  const { documentKid, unitKid, unitName, finished, fromMs2000, throughMs2000, columns, rows } = table;
  const head = {
    documentKid,
    unitKid,
    unitName,
    finished,
    fromMs2000,
    throughMs2000,
    columns: columns.map(columnItem),
  };
  const start = JSON.stringify(head).slice(0, -1);
  return encodeUtf8(`${start},"rows":[${rows.map(formatRow).join(',')}]}`);
};

const columnItem = ({ name, kind, label, valueType, unitOfMeasure }: DocumentColumn) => ({
  name,
  kind,
  label,
  valueType,
  unitOfMeasure,
});

function formatRow({ ms2000, utc, cells }: DocumentRow): string {
  let text = '';
  for (const cell of cells) text += cell === null ? ',null' : `,${formatCell(cell)}`;
  return `{"ms2000":${ms2000},"utc":"${utc}","cells":[${text.slice(1)}]}`;
}

const formatCell = ({ text, value }: DocumentValue): string =>
  `{"text":${text === null ? 'null' : formatText(text)},"value":${value}}`;

/** All of ASCII that JSON leaves as it is. */
const plainText = /^[ !#-[\]-~]*$/;

const formatText = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text));
