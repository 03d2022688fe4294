// Finds an installer by id. Throws 404 if there is none.

import type { Db } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import { findInstaller, type InstallerRow } from './queries/installers.ts';

export async function requireInstaller(db: Db, tenant: WholeTenant, installerId: number): Promise<InstallerRow> {
  const row = await findInstaller(db, tenant, installerId);
  if (row === undefined) throw new Problem('not-found');
  return row;
}
