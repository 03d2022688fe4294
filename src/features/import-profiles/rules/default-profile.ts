// The profile of a file that has none: its columns have the names of our fields, in any order and case.

import { createCurrencyDigits } from '../../../lib/values/decimal-amount.ts';
import type { ReadableRow } from '../formats/source-row.ts';
import type { ImportColumn } from '../../import-kinds/import-kind.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import { unknownCurrency } from '../../import-kinds/rules/decimal-fields.ts';
import { parseProfile, type Profile } from './profile.ts';

/** The columns that every kind has. */
export const keyColumns: readonly ImportColumn[] = [
  {
    field: 'key',
    description: 'The key of the object in the system that the file comes from. Its KID if it has no other.',
    example: '1',
  },
  { field: 'kid', description: 'The KID of an object that exists already, to which the key belongs.', example: '' },
];

/** What the name of the default profile is: its keys are those of our own files. */
export const defaultSource = 'portal';

type DefaultProfile = {
  /** The fields that are read. */
  readonly fields: readonly string[];
  readonly ignoredColumns: readonly string[];
  /** The profile of a row: its currency, or else that of the bank, decides how many decimals its amounts have. */
  profileOf(row: ReadableRow): Profile;
};

/** `header`: null for JSON Lines, whose rows name their columns themselves. `currency` is that of the bank. */
export function createDefaultProfile(
  kind: { readonly name: ImportKindName; readonly columns: readonly ImportColumn[] },
  { format, header, currency }: { format: Profile['format']; header: readonly string[] | null; currency: string },
): DefaultProfile {
  const known = new Map([...keyColumns, ...kind.columns].map((column) => [column.field.toLowerCase(), column]));
  const names = header ?? Array.from(known.values(), ({ field }) => field);
  const read = new Map<ImportColumn, string>();
  const ignoredColumns: string[] = [];
  for (const name of names) {
    const column = known.get(name.toLowerCase());
    if (column === undefined || read.has(column)) ignoredColumns.push(name);
    else read.set(column, name);
  }
  const create = (digits: number): Profile => {
    const columns = Array.from(read, ([column, from]) => ({
      field: column.field,
      from,
      ...readingOf(column, format, digits),
    }));
    const document = { name: defaultSource, kind: kind.name, format, header: header !== null, columns };
    const parsed = parseProfile(document);
    if ('errors' in parsed) throw new Error(`the default profile has errors: ${JSON.stringify(parsed.errors)}`);
    return parsed.profile;
  };
  const currencyColumn = [...read].find(([{ field }]) => field === 'currency')?.[1] ?? '';
  const digitsOf = createCurrencyDigits();
  const profiles = new Map<number, Profile>();
  const profileOf = ({ values }: ReadableRow): Profile => {
    const given = values.get(currencyColumn)?.trim().toUpperCase() || currency;
    // What is no code at all is an error of its field.
    const digits = digitsOf(/^[A-Z]{3}$/.test(given) ? given : unknownCurrency);
    const profile = profiles.get(digits) ?? create(digits);
    profiles.set(digits, profile);
    return profile;
  };
  return { fields: Array.from(read.keys(), ({ field }) => field), ignoredColumns, profileOf };
}

/** With three decimals, a point and a comma would mean two things: the point parts them. */
function readingOf({ decimals }: ImportColumn, format: Profile['format'], currencyDigits: number) {
  if (decimals === undefined) return { trim: true, ...(format === 'csv' ? { unguard: true } : {}) };
  const digits = decimals === 'currency' ? currencyDigits : decimals;
  return digits === 3 ? { decimals: digits, decimal: '.' as const } : { decimals: digits };
}
