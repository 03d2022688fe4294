// ExecuteBankUserCommand: changes a resident, with the history and the record for the devices, in one transaction.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatUserKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerActor } from '../../audit/rules/audit-actor.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { keepFormerName } from '../../residents/queries/former-names.ts';
import { touchResidents } from '../../residents/queries/residents-version.ts';
import { applyAction, type AppliedAction } from '../apply-action.ts';
import { orDuplicateProblem } from '../duplicate-problem.ts';
import { listKeys } from '../queries/resident-details.ts';
import { findResident, type ResidentRow } from '../queries/residents.ts';
import { insertHistory, releaseExpiredEmail, replaceResidentWords, updateResident } from '../queries/write-resident.ts';
import {
  requireAdministeredResident,
  requireDeletableResident,
  requireGrantedResident,
  type ResidentInput,
} from '../require-resident.ts';
import { createResidentNotFoundProblem, isResidentVisible } from '../../residents/rules/resident-visibility.ts';
import { parseAction, type ResidentAction } from '../rules/command-values.ts';
import { listRecordedChanges } from '../rules/recorded-changes.ts';
import { findCommandRefusal, isShownElsewhere, type ResidentCommand } from '../rules/commands.ts';
import type { Workspace } from '../schemas.ts';
import { readWorkspace, toCommandConditions, type VisibleResident } from '../workspace.ts';

export type BankUserCommandInput = ResidentInput & {
  readonly command: ResidentCommand;
  readonly expectedRevision: string;
  readonly value?: string | undefined;
};

/** Returns the resident's workspace as it is afterwards. */
export async function executeBankUserCommand(
  context: ManagerContext,
  input: BankUserCommandInput,
  { passwordHasher }: { readonly passwordHasher: PasswordHasher },
): Promise<WriteAnswer<Workspace>> {
  const { now, tenant } = context;
  const action = parseAction(input.command, input.value, tenant);
  // A hash takes long, so that nothing is locked yet.
  const pinHash = action.command === 'SetPin' && action.value !== '' ? await passwordHasher.hash(action.value) : null;
  return context.write({
    grant: (scope) => requireGrantedResident(scope, input),
    lock: async (db, { bank }) => {
      await lockOutbox(db, bank);
      if (isShownElsewhere(action.command)) await touchResidents(db, bank);
    },
    // A repeated Delete is answered what the first one was, although the resident is no longer shown.
    requireObject: (db, granted) =>
      action.command === 'Delete'
        ? requireDeletableResident(db, granted, now)
        : requireAdministeredResident(db, granted, now),
    work: async (db, resident) => {
      if (!isResidentVisible(resident.row, context.scope.retentionDays, now)) throw createResidentNotFoundProblem();
      if (input.expectedRevision !== String(resident.row.revision)) throw new Problem('user-conflict');
      await changeResident(db, context, resident, { action, pinHash });
      const row = await findResident(db, resident.bank, resident.row.resident_id);
      return readWorkspace(db, context, { bank: resident.bank, row: row! });
    },
  });
}

type PreparedAction = { readonly action: ResidentAction; readonly pinHash: string | null };

async function changeResident(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: VisibleResident,
  prepared: PreparedAction,
): Promise<void> {
  const { command } = prepared.action;
  const keys = await listKeys(db, bank, row.resident_id);
  const refusal = findCommandRefusal(command, toCommandConditions(row, keys, context));
  if (refusal !== undefined) throw new Problem('command-not-allowed', { reason: refusal });
  const applied = await applyAction(db, context, { bank, row, keys }, prepared);
  if (applied === undefined) return;
  if (command === 'SetEmail' || command === 'Restore')
    await releaseExpiredEmail(db, bank, applied.columns.email ?? row.email, context.now);
  const isUpdated = await orDuplicateProblem(db, 'user-exists', () => updateResident(db, bank, row, applied.columns));
  if (!isUpdated) throw new Problem('user-conflict');
  if (command === 'SetName') await keepFormerName(db, bank, { residentId: row.resident_id, name: row.name });
  if (applied.keyNumbers !== undefined)
    await replaceResidentWords(db, bank, { ...row, ...applied.columns }, applied.keyNumbers);
  await recordChange(db, context, { bank, row }, { command, applied });
}

/** Writes history and audit log, and tells the devices where the resident lives and where the resident lived. */
async function recordChange(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: VisibleResident,
  { command, applied }: { readonly command: ResidentCommand; readonly applied: AppliedAction },
): Promise<void> {
  const { now, principal } = context;
  const { columns, oldValue, newValue } = applied;
  await insertHistory(db, bank, {
    resident_id: row.resident_id,
    revision: row.revision + 1,
    changed_at: now,
    editor_id: principal.managerId,
    command,
    old_value: oldValue,
    new_value: newValue,
  });
  for (const locationId of listDeviceLocations(row, columns))
    await queueSync(db, bank, { subjectKind: 'resident', subjectId: row.resident_id, locationId, unitId: 0 }, now);
  await appendAudit(db, createManagerActor(context), {
    object: formatUserKid(formatBankKid(bank.tenant, bank.bankId), row.resident_id),
    bankId: bank.bankId,
    ...listRecordedChanges(command, { oldValue, newValue }),
  });
}

const listDeviceLocations = (row: ResidentRow, columns: AppliedAction['columns']): ReadonlySet<number> =>
  new Set([row.location_id ?? 0, (columns.location_id === undefined ? row : columns).location_id ?? 0]);
