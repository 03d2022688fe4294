// SetInstallerIcon: chooses the icon of an installer if the caller knows the current revision of it.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWholeTenant, type WholeTenant } from '../../../permissions/coverage.ts';
import { appendAudit, tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { mayHavePersonIcon } from '../../icons/rules/person-icons.ts';
import { toInstallerDetail } from '../answers.ts';
import type { InstallerRow } from '../queries/installers.ts';
import { installerLock, updateInstallerIcon } from '../queries/write-installer.ts';
import { requireInstaller } from '../require-installer.ts';
import type { InstallerDetail } from '../schemas.ts';

type SetInstallerIconInput = {
  readonly installerKid: KidOf<'installer'>;
  readonly icon: string;
  readonly expectedRevision: string;
};

/** Returns the installer after the change. */
export function setInstallerIcon(
  context: ManagerContext,
  input: SetInstallerIconInput,
): Promise<WriteAnswer<InstallerDetail>> {
  const { installerId } = input.installerKid;
  return context.write({
    grant: requireWholeTenant,
    locks: (tenant) => [tenantAuditLock(), installerLock(tenant, installerId)],
    requireObject: async (db, tenant) => ({ tenant, row: await requireInstaller(db, tenant, installerId) }),
    work: (db, found) => compareAndSetIcon(db, context, found, input),
  });
}

async function compareAndSetIcon(
  db: WriteDb,
  context: ManagerContext,
  { tenant, row }: { readonly tenant: WholeTenant; readonly row: InstallerRow },
  { installerKid, icon, expectedRevision }: SetInstallerIconInput,
): Promise<InstallerDetail> {
  if (!mayHavePersonIcon(icon, row.person_icon))
    throw createFieldProblem('body.icon', 'must be one of availablePersonIcons');
  if (expectedRevision !== String(row.icon_revision)) throw new Problem('installer-icon-conflict');
  // Callers without the right were refused before.
  const view = { canEdit: true, now: context.now };
  if (icon === row.person_icon) return toInstallerDetail(tenant, row, view);
  if (!(await updateInstallerIcon(db, tenant, row, icon))) throw new Problem('installer-icon-conflict');
  await appendAudit(db, createManagerAuditContext(context), {
    object: formatKid(installerKid),
    before: { icon: row.person_icon },
    after: { icon },
  });
  return toInstallerDetail(tenant, { ...row, person_icon: icon, icon_revision: row.icon_revision + 1 }, view);
}
