// Creates, changes and deletes installers, with the audit log. It runs in the transaction of the caller, who has taken the
// locks of the tenant's audit log and of all installers.

import { requireLock } from '../../database/locks.ts';
import type { WriteDb } from '../../database/db.ts';
import { formatKid } from '../../lib/kid.ts';
import { recordOf } from '../../lib/values/fields.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import { appendAudits } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { unrecordedValue, type RecordedValues } from '../audit/rules/recorded-values.ts';
import { isPersonalOfInstaller, recordedInstallerFields, type InstallerFields } from './fields.ts';
import { insertInstallers } from './queries/insert-installers.ts';
import {
  allInstallersLock,
  deleteInstallers,
  readNextInstallerId,
  updateInstallers,
} from './queries/write-installer.ts';

const kidOf = ({ tenant }: WholeTenant, installerId: number): string =>
  formatKid({ type: 'installer', tenant, installerId });

/** Returns their ids, in the order given. */
export async function recordNewInstallers(
  db: WriteDb,
  actor: AuditContext,
  tenant: WholeTenant,
  drafts: readonly InstallerFields[],
): Promise<number[]> {
  requireLock(db, allInstallersLock(tenant));
  const firstId = await readNextInstallerId(db, tenant);
  const installers = drafts.map((draft, index) => ({ ...draft, installerId: firstId + index, lastActivityAt: null }));
  await insertInstallers(db, installers);
  const records = installers.map((installer) => ({
    object: kidOf(tenant, installer.installerId),
    before: null,
    after: describe(installer, recordedInstallerFields),
  }));
  await appendAudits(db, actor, records);
  return installers.map(({ installerId }) => installerId);
}

type InstallerChange = {
  readonly installerId: number;
  readonly before: InstallerFields;
  readonly after: InstallerFields;
};

export async function recordChangedInstallers(
  db: WriteDb,
  actor: AuditContext,
  tenant: WholeTenant,
  changes: readonly InstallerChange[],
): Promise<void> {
  requireLock(db, allInstallersLock(tenant));
  await updateInstallers(
    db,
    tenant,
    // The activity is not written.
    changes.map(({ installerId, after }) => ({ ...after, installerId, lastActivityAt: null })),
  );
  const records = changes.map(({ installerId, before, after }) => {
    const changed = recordedInstallerFields.filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    return { object: kidOf(tenant, installerId), before: describe(before, changed), after: describe(after, changed) };
  });
  await appendAudits(db, actor, records);
}

export async function recordDeletedInstallers(
  db: WriteDb,
  actor: AuditContext,
  tenant: WholeTenant,
  ids: readonly number[],
): Promise<void> {
  requireLock(db, allInstallersLock(tenant));
  await deleteInstallers(db, tenant, ids);
  const records = ids.map((installerId) => ({
    object: kidOf(tenant, installerId),
    before: { deleted: false },
    after: { deleted: true },
  }));
  await appendAudits(db, actor, records);
}

/** What the audit log has of these fields. */
const describe = (installer: InstallerFields, fields: readonly (keyof InstallerFields)[]): RecordedValues =>
  recordOf(fields, (field) => (isPersonalOfInstaller(field) ? unrecordedValue : installer[field]));
