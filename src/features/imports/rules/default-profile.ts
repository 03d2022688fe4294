// The profile of a file that has none: its columns have the names of our fields, in any order and case.

import type { ImportColumn } from '../kinds/import-kind.ts';
import type { ImportKindName } from './kind-names.ts';
import { parseProfile, type Profile } from './profile.ts';
import type { ProfileDocument } from './profile-schema.ts';

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

type DefaultProfile = { readonly profile: Profile; readonly ignoredColumns: readonly string[] };

/** `header`: null for JSON Lines, whose rows name their columns themselves. */
export function createDefaultProfile(
  kind: { readonly name: ImportKindName; readonly columns: readonly ImportColumn[] },
  format: Profile['format'],
  header: readonly string[] | null,
): DefaultProfile {
  const known = new Map([...keyColumns, ...kind.columns].map((column) => [column.field.toLowerCase(), column]));
  const names = header ?? Array.from(known.values(), ({ field }) => field);
  const taken = new Set<string>();
  const columns: ProfileDocument['columns'] = [];
  const ignoredColumns: string[] = [];
  for (const name of names) {
    const column = known.get(name.toLowerCase());
    if (column === undefined || taken.has(column.field)) ignoredColumns.push(name);
    else {
      taken.add(column.field);
      columns.push({ field: column.field, from: name, ...readingOf(column, format) });
    }
  }
  const document = { name: defaultSource, kind: kind.name, format, header: header !== null, columns };
  const parsed = parseProfile(document);
  if ('errors' in parsed) throw new Error(`default profile: ${JSON.stringify(parsed.errors)}`);
  return { profile: parsed.profile, ignoredColumns };
}

const readingOf = ({ decimals }: ImportColumn, format: Profile['format']) =>
  decimals === undefined ? { trim: true, ...(format === 'csv' ? { unguard: true } : {}) } : { decimals };
