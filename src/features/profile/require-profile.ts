// Reads the profile of the manager of the request. Throws 401 if the manager is deleted.

import type { Db } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import { findProfile, type ProfileRow, type OwnManager } from './queries/profile.ts';

export async function requireProfile(db: Db, self: OwnManager): Promise<ProfileRow> {
  const row = await findProfile(db, self);
  if (row === undefined) throw new Problem('unauthenticated');
  return row;
}
