// Writes what became of demo units since they were set up: what was set, what the equipment was told of it and has heard,
// and what it reported.

import type { WriteDb } from '../database/dialect.ts';
import { insertRows } from '../database/insert.ts';
import type { Tables } from '../database/tables.ts';
import type { SyncState } from '../features/device-sync/rules.ts';
import type { Tenant } from '../tenants.ts';
import { hourMs, minuteMs } from './calendar.ts';
import type { Community } from './foundation.ts';
import type { DemoUnit } from './places.ts';
import { seededRandom } from './random.ts';
import { demoEdits, liveUnits, type Edit } from './unit-edits.ts';
import { givenRows, writeGivenRows, type GivenValue } from './unit-settings.ts';
import { demoStates } from './unit-states.ts';

/** Writes what was set of the units of all banks since they were set up, and what they reported. */
export async function writeUnitHistory(
  db: WriteDb,
  { currency }: Tenant,
  communities: readonly Community[],
  now: number,
): Promise<void> {
  for (const { bank } of communities) {
    const random = seededRandom(`settings/${bank.bankId}`);
    const edits = numbered(demoEdits({ bank, currency, now, random }), await countQueued(db, bank.bankId));
    const ofUnit = Map.groupBy(edits, ({ unit }) => unit);
    await writeGivenRows(
      db,
      [...ofUnit].map(([unit, given]) => givenRows({ ...unit, bankId: bank.bankId }, given)),
    );
    for (const [unit, given] of ofUnit) await raiseVersion(db, bank.bankId, unit, 1 + given.length);
    await writeSyncs(db, bank.bankId, edits, now);
    const states = liveUnits(bank).flatMap((unit) =>
      demoStates(bank.bankId, unit, { errorId: errorOf(ofUnit.get(unit) ?? []) }, random),
    );
    await insertRows(db, 'unit_states', states);
  }
}

type Numbered = Edit & GivenValue;

/** How many records the outbox of a bank was given so far. */
async function countQueued(db: WriteDb, bankId: number): Promise<number> {
  const head = await db
    .selectFrom('device_sync_heads')
    .select('queued')
    .where('bank_id', '=', bankId)
    .executeTakeFirst();
  return head?.queued ?? 0;
}

/** In the order of time: each with its unit's next version, those that the equipment has to be told with a record's id. */
function numbered(edits: readonly Edit[], before: number): Numbered[] {
  const versions = new Map<DemoUnit, number>();
  let queued = before;
  return edits.map((edit) => {
    const version = (versions.get(edit.unit) ?? 1) + 1;
    versions.set(edit.unit, version);
    if (edit.editorId !== null) queued += 1;
    return { ...edit, changedAt: edit.at, version, syncId: edit.editorId === null ? null : queued };
  });
}

const errorOf = (edits: readonly Edit[]): number =>
  Number(edits.findLast(({ name }) => name === 'AutoOutOfOrder')?.value ?? 0);

async function raiseVersion(
  db: WriteDb,
  bankId: number,
  { locationId, unitId }: DemoUnit,
  version: number,
): Promise<void> {
  await db
    .updateTable('units')
    .set({ version })
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .execute();
}

async function writeSyncs(db: WriteDb, bankId: number, edits: readonly Numbered[], now: number): Promise<void> {
  const told = edits.filter(({ syncId }) => syncId !== null);
  if (told.length === 0) return;
  const rows = told.map(({ unit, version, at, syncId }, index): Tables['device_sync'] => {
    const { state, attempts, afterMs } = outcomeOf(told.length - 1 - index);
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
  });
  await insertRows(db, 'device_sync', rows);
  await db.words.upsertAdding(
    db,
    'device_sync_heads',
    [{ bank_id: bankId, queued: told.length }],
    ['bank_id'],
    ['queued'],
  );
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
