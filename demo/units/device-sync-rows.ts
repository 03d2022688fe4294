// Writes the outbox records of the settings of demo units, with their states.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { SyncState } from '../../src/features/outbox/rules/sync-state.ts';
import type { SettingEdit } from './setting-edits.ts';
import type { StoredSettingValue } from './setting-rows.ts';
import { hourMs, minuteMs } from '../../src/lib/time/durations.ts';

/** An edit with the version of the unit that it created, and its outbox record if the equipment must be told. */
export type NumberedEdit = SettingEdit & StoredSettingValue;

/** Writes the records of a bank's edits, which are sorted by number. */
export async function writeDeviceSync(
  db: WriteDb,
  bankId: number,
  edits: readonly NumberedEdit[],
  now: number,
): Promise<void> {
  const queuedEdits = edits.filter(({ syncId }) => syncId !== null);
  if (queuedEdits.length === 0) return;
  const rows = queuedEdits.map((edit, index) =>
    syncRow(bankId, edit, { now, following: queuedEdits.length - 1 - index }),
  );
  await insertRows(db, 'device_sync', rows);
  const queued = [{ bank_id: bankId, queued: queuedEdits.length }];
  await db.dialect.upsertRows(db, 'device_sync_heads', queued, { key: ['bank_id'], sum: ['queued'] });
}

function syncRow(
  bankId: number,
  { unit, version, editedAt, syncId }: NumberedEdit,
  { now, following }: { readonly now: number; readonly following: number },
): Tables['device_sync'] {
  const { state, attempts, afterMs } = syncOutcomeOf(following);
  return {
    bank_id: bankId,
    sync_id: syncId ?? 0,
    subject_kind: 'setting',
    subject_id: version ?? 1,
    location_id: unit.locationId,
    unit_id: unit.unitId,
    state,
    attempts,
    created_at: editedAt,
    updated_at: Math.min(now, editedAt + afterMs),
    detail: null,
    code: null,
  };
}

type SyncOutcome = { readonly state: SyncState; readonly attempts: number; readonly afterMs: number };

const failureInterval = 40;

/**
 * The outcome of a record by the number of later ones: the last records are queued, a few before them are sent, most
 * are acknowledged.
 */
function syncOutcomeOf(following: number): SyncOutcome {
  if (following < 3) return { state: 'queued', attempts: 0, afterMs: 0 };
  if (following < 5) return { state: 'sent', attempts: 1, afterMs: minuteMs };
  if (following === 5 || following % failureInterval === 0) return { state: 'failed', attempts: 3, afterMs: hourMs };
  return { state: 'acknowledged', attempts: 1, afterMs: minuteMs };
}
