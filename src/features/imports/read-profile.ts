// Finds a profile by its name: the tenant's own, or one that comes with the service.

import type { Db } from '../../database/db.ts';
import { createFieldProblem } from '../../lib/field-problem.ts';
import type { ImportKind } from './kinds/import-kind.ts';
import { findStoredProfile } from './queries/profiles.ts';
import { createBuiltInProfiles } from './rules/built-in-profiles.ts';
import { parseProfile, type Profile } from './rules/profile.ts';

/** Throws 400 if there is none of this name, or its rows are of another kind. */
export async function readProfile(db: Db, name: string, kind: Pick<ImportKind, 'name'>): Promise<Profile> {
  const profile = (await readStoredProfile(db, name)) ?? createBuiltInProfiles().get(name);
  if (profile === undefined) throw createFieldProblem('query.profile', 'must be the name of a profile');
  if (profile.kind !== kind.name)
    throw createFieldProblem('query.profile', `must be a profile of ${kind.name}, and not of ${profile.kind}`);
  return profile;
}

async function readStoredProfile(db: Db, name: string): Promise<Profile | undefined> {
  const document = await findStoredProfile(db, name);
  if (document === undefined) return undefined;
  const parsed = parseProfile(JSON.parse(document));
  if ('errors' in parsed) throw new Error(`stored profile ${name}: ${JSON.stringify(parsed.errors)}`);
  return parsed.profile;
}
