// Finds a profile by its name: the tenant's own, or one that comes with the service. Lists both, and checks a profile that a
// tenant is to keep.

import type { Db } from '../../database/db.ts';
import type { ImportKind, ImportColumn } from '../import-kinds/import-kind.ts';
import { importKinds } from '../import-kinds/import-kinds.ts';
import type { ImportKindName } from '../import-kinds/rules/kind-names.ts';
import { findStoredProfile, listStoredProfiles } from './queries/profiles.ts';
import { createBuiltInProfiles, listBuiltInDocuments } from './rules/built-in-profiles.ts';
import { defaultSource, keyColumns } from './rules/default-profile.ts';
import { parseProfile, type Profile, type ProfileError } from './rules/profile.ts';
import type { ImportProfileItem, ImportProfile } from './schemas.ts';
import { Problem } from '../../lib/problem.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';

/** Throws 400 if there is none of this name, or its rows are of another kind. */
export async function readProfile(db: Db, name: string, kind: Pick<ImportKind, 'name'>): Promise<Profile> {
  const profile = (await readNamedProfile(db, name))?.profile;
  if (profile === undefined) throw createFieldProblem('query.profile', 'must be the name of a profile');
  if (profile.kind !== kind.name)
    throw createFieldProblem('query.profile', `must be a profile of ${kind.name}, and not of ${profile.kind}`);
  return profile;
}

export type NamedProfile = {
  readonly profile: Profile;
  /** The document as it was stored. */
  readonly document: object;
  /** Null for one that comes with the service. */
  readonly version: number | null;
};

/** Undefined if there is none of this name. */
export async function readNamedProfile(db: Db, name: string): Promise<NamedProfile | undefined> {
  const stored = await findStoredProfile(db, name);
  if (stored === undefined) return findBuiltInProfile(name);
  const document = JSON.parse(stored.document) as object;
  const parsed = parseProfile(document);
  if ('errors' in parsed) throw new Error(`the stored profile ${name} has errors: ${JSON.stringify(parsed.errors)}`);
  return { profile: parsed.profile, document, version: stored.version };
}

function findBuiltInProfile(name: string): NamedProfile | undefined {
  const document = listBuiltInDocuments().find((each) => each.name === name);
  const profile = createBuiltInProfiles().get(name);
  return document === undefined || profile === undefined ? undefined : { profile, document, version: null };
}

/** Throws 404 if there is none of this name. */
export async function requireImportProfile(db: Db, name: string): Promise<NamedProfile> {
  const found = await readNamedProfile(db, name);
  if (found === undefined) throw new Problem('not-found');
  return found;
}

export async function readProfileList(db: Db): Promise<ImportProfileItem[]> {
  const builtIn = listBuiltInDocuments().map(({ name, kind }) => ({ name, kind, version: null, builtIn: true }));
  const own = (await listStoredProfiles(db)).map((row) => ({ ...row, builtIn: false }));
  return [...builtIn, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A parsed JSON value -> the profile, or every reason why the tenant cannot keep it. */
export function parseStorableProfile(
  document: unknown,
): { readonly profile: Profile } | { readonly errors: readonly ProfileError[] } {
  const parsed = parseProfile(document);
  if ('errors' in parsed) return parsed;
  const { name, kind } = parsed.profile;
  const errors: ProfileError[] = [];
  if (name === defaultSource || listBuiltInDocuments().some((each) => each.name === name))
    errors.push({ path: 'name', message: 'is that of a profile that comes with the service' });
  // Only the columns of a kind that can be imported are known.
  if (Object.hasOwn(importKinds, kind))
    errors.push(...listFieldErrors(parsed.profile, [...keyColumns, ...importKinds[kind as ImportKindName].columns]));
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

export const toImportProfile = ({ profile: { name, kind }, document, version }: NamedProfile): ImportProfile => ({
  name,
  kind,
  version,
  builtIn: version === null,
  document: document as ImportProfile['document'],
  revision: version === null ? null : String(version),
});
