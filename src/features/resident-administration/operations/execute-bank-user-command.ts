// ExecuteBankUserCommand: changes a resident, with the history and the record for the devices, in one transaction.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import { formatBankKid, formatUserKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSync } from '../../device-sync/queries/outbox.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { keepFormerName } from '../../residents/queries/former-names.ts';
import { residentsLock } from '../../residents/queries/residents-version.ts';
import { applyAction, type AppliedAction } from '../change-resident.ts';
import { orDuplicateProblem } from '../../../database/duplicate-problem.ts';
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
import { findCommandRefusal, isShownElsewhere, type ResidentCommand } from '../rules/allowed-commands.ts';
import type { ResidentWorkspace } from '../schemas.ts';
import { readWorkspace, toCommandConditions, type VisibleResident } from '../read-workspace.ts';

type BankUserCommandInput = ResidentInput & {
  readonly command: ResidentCommand;
  readonly expectedRevision: string;
  readonly value?: string | undefined;
};

/** Returns the workspace of the changed resident. */
export async function executeBankUserCommand(
  context: ManagerContext,
  input: BankUserCommandInput,
  { passwordHasher }: { readonly passwordHasher: PasswordHasher },
): Promise<WriteAnswer<ResidentWorkspace>> {
  const { now, tenant, principal } = context;
  const action = parseAction(input.command, input.value, tenant);
  const requireCurrent = ({ row }: VisibleResident): void => {
    if (!isResidentVisible(row, context.scope.retentionDays, now)) throw createResidentNotFoundProblem();
    if (input.expectedRevision !== String(row.revision)) throw new Problem('user-conflict');
  };
  const pin = action.command === 'SetPin' ? action.value : '';
  let pinHash: string | null = null;
  const hashPin = async (resident: VisibleResident): Promise<void> => {
    requireCurrent(resident);
    pinHash = await passwordHasher.hash(pin, { turn: { key: queueKeyOf(tenant, principal) } });
  };
  return context.write({
    grant: (scope) => requireGrantedResident(scope, input),
    locks: ({ bank }) => [outboxLock(bank), ...(isShownElsewhere(action.command) ? [residentsLock(bank)] : [])],
    // A repeated Delete gets the answer of the first one, although the resident is no longer visible.
    requireObject: (db, granted) =>
      action.command === 'Delete'
        ? requireDeletableResident(db, granted, now)
        : requireAdministeredResident(db, granted, now),
    ...(pin === '' ? {} : { prepare: hashPin }),
    work: async (db, resident) => {
      requireCurrent(resident);
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

/** Writes history and audit log, and the record for the devices of the resident's new and old location. */
async function recordChange(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: VisibleResident,
  { command, applied }: { readonly command: ResidentCommand; readonly applied: AppliedAction },
): Promise<void> {
  const { now, principal } = context;
  const { columns, oldValue, newValue, endedKeys } = applied;
  const detail = endedKeys === undefined ? {} : { detail: { endedKeys } };
  await insertHistory(db, bank, {
    resident_id: row.resident_id,
    revision: row.revision + 1,
    changed_at: now,
    editor_id: principal.id,
    command,
    old_value: oldValue,
    new_value: newValue,
  });
  for (const locationId of listDeviceLocations(row, columns))
    await queueSync(
      db,
      bank,
      { subjectKind: 'resident', subjectId: row.resident_id, locationId, unitId: 0, ...detail },
      now,
    );
  await appendAudit(db, createManagerAuditContext(context), {
    object: formatUserKid(formatBankKid(bank.tenant, bank.bankId), row.resident_id),
    bankId: bank.bankId,
    ...listRecordedChanges(command, { oldValue, newValue }),
  });
}

const listDeviceLocations = (row: ResidentRow, columns: AppliedAction['columns']): ReadonlySet<number> =>
  new Set([row.location_id ?? 0, (columns.location_id === undefined ? row : columns).location_id ?? 0]);
