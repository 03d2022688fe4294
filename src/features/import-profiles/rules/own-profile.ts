// Checks a profile that a tenant is to keep: that it is one, that its fields are those of its kind, and that its name is
// free. Pure.

import type { ImportColumn } from '../../import-kinds/import-kind.ts';
import { defaultSource, keyColumns } from './default-profile.ts';
import { parseProfile, type Profile, type ProfileError } from './profile.ts';

type KnownProfiles = {
  /** The columns of a kind that can be imported; undefined for any other. */
  readonly columnsOf: (kind: string) => readonly ImportColumn[] | undefined;
  /** The names of the profiles that come with the service. */
  readonly builtInNames: ReadonlySet<string>;
};

/** A parsed JSON value -> the profile, or every reason why it cannot be kept. */
export function parseOwnProfile(
  document: unknown,
  { columnsOf, builtInNames }: KnownProfiles,
): { readonly profile: Profile } | { readonly errors: readonly ProfileError[] } {
  const parsed = parseProfile(document);
  if ('errors' in parsed) return parsed;
  const { profile } = parsed;
  const errors: ProfileError[] = [];
  if (builtInNames.has(profile.name) || profile.name === defaultSource)
    errors.push({ path: 'name', message: 'is that of a profile that comes with the service' });
  const columns = columnsOf(profile.kind);
  if (columns !== undefined) errors.push(...listFieldErrors(profile, [...keyColumns, ...columns]));
  return errors.length > 0 ? { errors } : parsed;
}

function listFieldErrors({ kind, columns }: Profile, known: readonly ImportColumn[]): ProfileError[] {
  const fields = new Set(known.map(({ field }) => field));
  const unknown = columns.flatMap(({ field }, index) =>
    field === undefined || fields.has(field)
      ? []
      : [{ path: `columns[${index}].field`, message: `is no column of ${kind}: ${[...fields].join(', ')}` }],
  );
  const hasKey = columns.some(({ field }) => keyColumns.some((column) => column.field === field));
  return hasKey ? unknown : [...unknown, { path: 'columns', message: 'must have one with the field key or kid' }];
}
