// GetImportProfile: reads the latest version of a profile.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { toImportProfile, requireImportProfile } from '../read-profile.ts';
import type { ImportProfile } from '../schemas.ts';

export async function getImportProfile(context: ManagerContext, name: string): Promise<ImportProfile> {
  return toImportProfile(await context.read((db) => requireImportProfile(db, name)));
}
