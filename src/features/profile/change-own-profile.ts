// The steps that all writes of the manager's own profile share: locks, row, and audit log. They need no right but the
// session.

import type { WriteDb } from '../../database/db.ts';
import type { Lock } from '../../database/locks.ts';
import type { CommittedRefusal, ManagerContext, ManagerWrite } from '../../http/context/operation-context.ts';
import { hourMs } from '../../lib/time/durations.ts';
import { formatKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import { appendAudit, tenantAuditLock } from '../audit/queries/append-audit.ts';
import { countEntriesSince } from '../audit/queries/audit-page.ts';
import { createManagerAuditContext } from '../audit/rules/audit-context.ts';
import type { RecordedValues } from '../audit/rules/recorded-values.ts';
import { findPendingVerification } from './queries/email-verifications.ts';
import { requireProfile } from './require-profile.ts';
import { profileLock, saveProfile, type ProfileRow } from './queries/profile.ts';
import { listChangedProfileFields, pickFields, type ProfileColumns } from './rules/profile-fields.ts';
import { toManagerProfile } from './answers.ts';
import type { ManagerProfile } from './schemas.ts';

/** The steps of a write; `work` is the operation's own. */
export const ownProfileWrite = <T>(
  { principal }: ManagerContext,
  work: (db: WriteDb, row: ProfileRow) => Promise<T | CommittedRefusal>,
): ManagerWrite<Scope, ProfileRow, readonly Lock[], T> => ({
  grant: (scope) => scope,
  locks: () => [tenantAuditLock(), profileLock(principal)],
  requireObject: (db) => requireProfile(db, principal),
  work,
});

/** Saves and records the fields that differ. Returns the saved profile. */
export async function changeProfile(
  db: WriteDb,
  context: ManagerContext,
  row: ProfileRow,
  changes: ProfileColumns,
): Promise<ProfileRow> {
  const changed = listChangedProfileFields(row, changes);
  if (changed.length === 0) return row;
  const saved = await saveProfile(db, context.principal, row, changes);
  if (saved === undefined) throw new Problem('profile-conflict');
  await recordOwnChange(db, context, { before: pickFields(row, changed), after: pickFields(saved, changed) });
  return saved;
}

type RecordedChange = { readonly before: RecordedValues | null; readonly after: RecordedValues | null };

/**
 * Changes of oneself need no right, and their entries are kept for ever: without a limit any manager could fill the
 * storage.
 */
const maxOwnChangesPerHour = 60;

/** Throws 429 if the operation has changed too much within the hour. */
export async function recordOwnChange(db: WriteDb, context: ManagerContext, change: RecordedChange): Promise<void> {
  const { tenant, principal } = context;
  const actor = createManagerAuditContext(context);
  if ((await countEntriesSince(db, actor, actor.now - hourMs)) >= maxOwnChangesPerHour)
    throw new Problem('too-many-requests', {
      detail: `${actor.operation} can change something at most ${maxOwnChangesPerHour} times an hour.`,
    });
  const object = formatKid({ type: 'manager', tenant: tenant.name, managerId: principal.id });
  await appendAudit(db, actor, { object, ...change });
}

/** Formats the profile that a write has saved as its answer. */
export const answerProfile = async (
  db: WriteDb,
  { tenant, principal, now }: ManagerContext,
  row: ProfileRow,
): Promise<ManagerProfile> => toManagerProfile(tenant.name, row, await findPendingVerification(db, principal, now));
