// What the writes of the manager's own profile share: the lock, the row, no right but the session, and the audit log.

import type { WriteDb } from '../../database/db.ts';
import type { CommittedRefusal, ManagerContext, ManagerWrite } from '../../http/context/operation-context.ts';
import { formatKid } from '../../lib/kid.ts';
import type { Scope } from '../../permissions/scope.ts';
import { appendAudit, lockAuditChain } from '../audit/queries/append-audit.ts';
import { createManagerActor } from '../audit/rules/audit-actor.ts';
import type { RecordedValues } from '../audit/rules/recorded-values.ts';
import { findStandingVerification } from './queries/email-verifications.ts';
import { lockProfile, readProfile, saveProfile, type ProfileRow } from './queries/profile.ts';
import { listChangedFields, pickFields, type ProfileColumns } from './rules/profile-fields.ts';
import { formatProfile, type ManagerProfile } from './schemas.ts';

/** The steps of a write; `work` is the operation's own. */
export const ownProfileWrite = <T>(
  { principal }: ManagerContext,
  work: (db: WriteDb, row: ProfileRow) => Promise<T | CommittedRefusal>,
): ManagerWrite<Scope, ProfileRow, void, T> => ({
  grant: (scope) => scope,
  lock: async (db) => {
    await lockAuditChain(db);
    await lockProfile(db, principal);
  },
  requireObject: (db) => readProfile(db, principal),
  work,
});

/** Saves what differs, and records it. Returns the profile as it is afterwards. */
export async function changeProfile(
  db: WriteDb,
  context: ManagerContext,
  row: ProfileRow,
  changes: ProfileColumns,
): Promise<ProfileRow> {
  const changed = listChangedFields(row, changes);
  if (changed.length === 0) return row;
  const saved = await saveProfile(db, context.principal, row, changes);
  await recordOwnChange(db, context, { before: pickFields(row, changed), after: pickFields(saved, changed) });
  return saved;
}

type RecordedChange = { readonly before: RecordedValues | null; readonly after: RecordedValues | null };

export function recordOwnChange(db: WriteDb, context: ManagerContext, change: RecordedChange): Promise<void> {
  const { tenant, principal } = context;
  const object = formatKid({ type: 'manager', tenant: tenant.name, managerId: principal.managerId });
  return appendAudit(db, createManagerActor(context), { object, ...change });
}

/** The answer to a write that left the profile like this. */
export async function answerProfile(
  db: WriteDb,
  { tenant, principal, now }: ManagerContext,
  row: ProfileRow,
): Promise<ManagerProfile> {
  return formatProfile(tenant.name, row, await findStandingVerification(db, principal, now));
}
