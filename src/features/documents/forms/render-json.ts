// Writes a document as JSON. The rows of a table have the very shape that they have there: JSON.stringify is quickest with
// objects that it finds as they are.

import type { DocumentColumn } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument } from './document-form.ts';

export const renderJson: RenderDocument = (table) => {
  const { documentKid, unitKid, unitName, finished, fromMs2000, throughMs2000, rows } = table;
  const columns = table.columns.map(toColumnItem);
  return encodeUtf8(
    JSON.stringify({ documentKid, unitKid, unitName, finished, fromMs2000, throughMs2000, columns, rows }),
  );
};

const toColumnItem = ({ name, kind, label, valueType, unitOfMeasure }: DocumentColumn) => ({
  name,
  kind,
  label,
  valueType,
  unitOfMeasure,
});
