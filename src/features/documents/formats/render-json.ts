// Renders a document as JSON. The rows of a table already have the shape of the response, which is fastest for
// JSON.stringify.

import type { SampleColumn } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument } from './document-format.ts';

export const renderJson: RenderDocument = (table) => {
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
