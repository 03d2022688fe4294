// RetryDeviceSync: replaces a record that a device has refused by a new one of the same subject.

import type { Static } from 'typebox';
import type { WriteDb } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSync, updateSyncState, type SyncDetail } from '../../outbox/queries/outbox.ts';
import type { SubjectKind, SyncState } from '../../outbox/rules/sync-state.ts';
import { requireBank } from '../../places/require-place.ts';
import { toDeviceSync } from '../answers.ts';
import { findDeviceSync, moveSettingToSync, type DeviceSyncRow } from '../queries/device-syncs.ts';
import { deviceSyncRevisionOf, isRetryable } from '../rules/retry.ts';
import type { DeviceSync, DeviceSyncParams, DeviceSyncRetry } from '../schemas.ts';

type RetryDeviceSyncInput = Static<typeof DeviceSyncParams> & Static<typeof DeviceSyncRetry>;

/** Returns the new record. */
export function retryDeviceSync(
  context: ManagerContext,
  { bankKid, syncId, expectedRevision }: RetryDeviceSyncInput,
): Promise<WriteAnswer<DeviceSync>> {
  return context.write({
    grant: (scope) => requireCoveredBank(scope, bankKid),
    locks: (bank) => [outboxLock(bank)],
    requireObject: async (db, bank) => {
      const [row] = await Promise.all([findDeviceSync(db, bank, syncId), requireBank(db, bank)]);
      if (row === undefined) throw new Problem('not-found');
      return { bank, row };
    },
    work: async (db, { bank, row }) => {
      const { subject_kind, state, setting_name } = row;
      const isCurrent = expectedRevision === undefined || expectedRevision === deviceSyncRevisionOf(row);
      const record = { subject_kind: subject_kind as SubjectKind, state: state as SyncState, setting_name };
      if (!isCurrent || !isRetryable(record)) throw new Problem('sync-conflict');
      return replaceRecord(db, context, bank, row);
    },
  });
}

async function replaceRecord(
  db: WriteDb,
  context: ManagerContext,
  bank: GrantedBank,
  row: DeviceSyncRow,
): Promise<DeviceSync> {
  const { now } = context;
  const { sync_id: syncId, subject_kind, subject_id: subjectId, location_id: locationId, unit_id: unitId } = row;
  const detail = row.detail === null ? {} : { detail: JSON.parse(row.detail) as SyncDetail };
  const record = { subjectKind: subject_kind as SubjectKind, subjectId, locationId, unitId, ...detail };
  const newSyncId = await queueSync(db, bank, record, now);
  // The lock keeps other changes of the record away.
  if (!(await updateSyncState(db, bank, { syncId, from: 'failed', to: 'superseded' }, now)))
    throw new StorageError('rolled-back');
  if (record.subjectKind === 'setting') await moveSettingToSync(db, bank, row, newSyncId);
  await appendAudit(db, createManagerAuditContext(context), {
    object: formatBankKid(bank.tenant, bank.bankId),
    bankId: bank.bankId,
    before: { syncId, state: row.state },
    after: { syncId: newSyncId, state: 'queued' },
  });
  return toDeviceSync(context, (await findDeviceSync(db, bank, newSyncId))!);
}
