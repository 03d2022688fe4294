// Derives from a table of fields, which has a record for each field by its name, what others list of the fields.

import type { FieldResult } from './field-values.ts';

/** The column that a field has in imports and exports. */
export type ImportedColumn = { readonly description: string; readonly example: string; readonly isRequired?: true };

/** A field that files have as a text. */
export type TextField<Row> = {
  readonly imported: ImportedColumn;
  /** The one spelling of a text, or why it is invalid. An empty text is what the field is where nothing is given. */
  readonly parse: (text: string, tenant: string) => FieldResult;
  readonly write: (row: Row, tenant: string) => string;
};

/** The names of the fields that are marked so. */
export type NamesOf<Fields, Mark extends string> = {
  [Name in keyof Fields]: Fields[Name] extends Readonly<Record<Mark, true>> ? Name : never;
}[keyof Fields] &
  string;

/** The names in the order of the table, which is not empty. */
export const namesOf = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as unknown as readonly [keyof Fields & string, ...(keyof Fields & string)[]];

/** The names of the fields that are marked so, in the order of the table. */
export const fieldNamesWith = <Fields extends Readonly<Record<string, object>>, Mark extends string>(
  fields: Fields,
  mark: Mark,
): readonly NamesOf<Fields, Mark>[] =>
  Object.entries(fields).flatMap(([name, field]) => (mark in field ? [name as NamesOf<Fields, Mark>] : []));

/** What `of` makes of each name, by the names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  // A plain loop, since each row of a list is made so.
  const record = {} as Record<Name, Value>;
  for (const name of names) record[name] = of(name);
  return record;
}

/** One member of each of these fields, by the names. */
export const membersOf = <
  Member extends string,
  Fields extends Readonly<Record<string, Readonly<Record<Member, unknown>>>>,
  Name extends keyof Fields & string,
>(
  fields: Fields,
  names: readonly Name[],
  member: Member,
) => recordOf(names, (name) => fields[name]?.[member]) as { readonly [N in Name]: Fields[N][Member] };
