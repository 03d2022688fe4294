// Writes what the equipment was told of what was set of demo units, and what became of that.

import type { WriteDb } from '../database/dialect.ts';
import { insertRows } from '../database/insert.ts';
import type { Tables } from '../database/tables.ts';
import type { SyncState } from '../features/device-sync/rules.ts';
import { hourMs, minuteMs } from './calendar.ts';
import type { Edit } from './unit-edits.ts';
import type { GivenValue } from './unit-settings.ts';

/** An edit with the unit's version that it was written with, and its record where the equipment has to be told. */
export type Numbered = Edit & GivenValue;

/** The records of a bank's edits, which are in the order of their numbers. */
export async function writeSyncs(db: WriteDb, bankId: number, edits: readonly Numbered[], now: number): Promise<void> {
  const told = edits.filter(({ syncId }) => syncId !== null);
  if (told.length === 0) return;
  const rows = told.map((edit, index) => syncRow(bankId, edit, { now, following: told.length - 1 - index }));
  await insertRows(db, 'device_sync', rows);
  const queued = [{ bank_id: bankId, queued: told.length }];
  await db.words.upsertMerging(db, 'device_sync_heads', queued, { key: ['bank_id'], adding: ['queued'] });
}

function syncRow(
  bankId: number,
  { unit, version, at, syncId }: Numbered,
  { now, following }: { readonly now: number; readonly following: number },
): Tables['device_sync'] {
  const { state, attempts, afterMs } = outcomeOf(following);
  return {
    bank_id: bankId,
    sync_id: syncId ?? 0,
    subject_kind: 'setting',
    subject_id: version ?? 1,
    location_id: unit.locationId,
    unit_id: unit.unitId,
    state,
    attempts,
    created_at: at,
    updated_at: Math.min(now, at + afterMs),
  };
}

type Outcome = { readonly state: SyncState; readonly attempts: number; readonly afterMs: number };

const failedEvery = 40;

/** What became of a record by how many follow it: the last wait, those before are under way, most arrived. */
function outcomeOf(following: number): Outcome {
  if (following < 3) return { state: 'queued', attempts: 0, afterMs: 0 };
  if (following < 5) return { state: 'sent', attempts: 1, afterMs: minuteMs };
  if (following === 5 || following % failedEvery === 0) return { state: 'failed', attempts: 3, afterMs: hourMs };
  return { state: 'acknowledged', attempts: 1, afterMs: minuteMs };
}
