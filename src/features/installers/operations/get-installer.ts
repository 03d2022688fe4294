// GetInstaller: reads an installer, and the icons that can be chosen.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { installerWriteAccess } from '../access.ts';
import { toInstallerDetail } from '../answers.ts';
import { requireInstaller } from '../require-installer.ts';
import type { InstallerDetail } from '../schemas.ts';

export async function getInstaller(
  context: ManagerContext,
  { installerId }: KidOf<'installer'>,
): Promise<InstallerDetail> {
  const { scope, principal, now } = context;
  const tenant = requireWholeTenant(scope);
  const row = await context.read((db) => requireInstaller(db, tenant, installerId));
  return toInstallerDetail(tenant, row, { canEdit: isAuthorized(installerWriteAccess, principal), now });
}
