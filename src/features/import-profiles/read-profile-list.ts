// Lists the profiles that come with the service, and those of the tenant, in the order of their names.

import type { Db } from '../../database/db.ts';
import { listStoredProfiles } from './queries/profiles.ts';
import { listBuiltInDocuments } from './rules/built-in-profiles.ts';
import type { ImportProfileItem } from './schemas.ts';

export async function readProfileList(db: Db): Promise<ImportProfileItem[]> {
  const builtIn = listBuiltInDocuments().map(({ name, kind }) => ({ name, kind, version: null, builtIn: true }));
  const own = (await listStoredProfiles(db)).map((row) => ({ ...row, builtIn: false }));
  return [...builtIn, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
