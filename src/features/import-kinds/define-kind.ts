// Makes a kind of import of the table of its fields and its steps, so that a field stands once: columns, parsers and values
// follow from the table.

import { namesOf, recordOf, type TextField } from '../../lib/values/fields.ts';
import type { Field, FieldTable, ImportKind, ImportTarget, ParsedFields, RowValues } from './import-kind.ts';
import { createRowParser, listColumns, parseRowFields } from './rules/parse-fields.ts';

export type KindDefinition = Omit<ImportKind, 'columns' | 'parseRow'> & {
  readonly fields: FieldTable;
  /** What the fields of a row mean together, and what they contradict. `given` is the row before it was parsed. Pure. */
  combine?(parsed: ParsedFields, target: ImportTarget, given: RowValues): ParsedFields;
};

export function defineKind({ fields, combine = (parsed) => parsed, ...kind }: KindDefinition): ImportKind {
  const parse =
    kind.isAppendOnly === true
      ? createRowParser(fields)
      : (given: RowValues, target: ImportTarget) => parseRowFields(fields, given, target);
  return {
    ...kind,
    columns: listColumns(fields),
    parseRow: (given, target) => combine(parse(given, target), target, given),
  };
}

/** The fields of a noun that has a table of its own, as columns. */
export const columnsOf = <Name extends string, Row>(
  fields: Readonly<Record<Name, TextField<Row>>>,
): Readonly<Record<Name, Field<Row>>> =>
  recordOf(namesOf(fields), (name): Field<Row> => {
    const { imported, parse, write } = fields[name];
    return {
      ...imported,
      parse: (text, { tenant }) => parse(text, tenant.name),
      write: (row, { tenant }) => write(row, tenant.name),
    };
  });
