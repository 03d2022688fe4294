// GetImportProfiles: lists the profiles that come with the service, and those of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readProfileList } from '../read-profile.ts';
import type { ImportProfileList } from '../schemas.ts';

export async function getImportProfiles(context: ManagerContext): Promise<ImportProfileList> {
  return { items: await context.read(readProfileList) };
}
