// Writes the history of demo units since they were set up: edits of settings, their outbox records, and reported
// states.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import { cycleSetting } from '../../src/features/documents/rules/document-bounds.ts';
import type { Tenant } from '../../src/tenants.ts';
import { createDocumentRows, insertDocumentRows, type DocumentRows } from '../documents/document-rows.ts';
import type { BankWithResidents } from '../master-data.ts';
import type { DemoBank, DemoUnit } from '../places/places.ts';
import { createSeededRandom } from '../random.ts';
import { createDemoEdits, liveUnits, type SettingEdit } from './setting-edits.ts';
import { createSettingRows, insertSettingRows } from './setting-rows.ts';
import { createDemoStateRows } from './state-rows.ts';
import { writeDeviceSync, type NumberedEdit } from './device-sync-rows.ts';

/** Writes the edits, documents and states of the units of all banks. */
export async function writeUnitHistory(
  db: WriteDb,
  { currency, timeZone }: Tenant,
  communities: readonly BankWithResidents[],
  now: number,
): Promise<void> {
  let series = 0;
  for (const { bank } of communities) {
    const random = createSeededRandom(`settings/${bank.bankId}`);
    const documents = createDocumentRows(bank, { timeZone, now, series });
    series += documents.state_series.length;
    const unnumbered = [...createDemoEdits({ bank, currency, now, random }), ...listCycleEdits(bank, documents)];
    const edits = numberEdits(
      unnumbered.toSorted((a, b) => a.editedAt - b.editedAt),
      await countQueued(db, bank.bankId),
    );
    const ofUnit = Map.groupBy(edits, ({ unit }) => unit);
    await insertSettingRows(
      db,
      [...ofUnit].map(([unit, given]) => createSettingRows({ ...unit, bankId: bank.bankId }, given)),
    );
    for (const [unit, given] of ofUnit) await updateUnitVersion(db, bank.bankId, unit, 1 + given.length);
    await writeDeviceSync(db, bank.bankId, edits, now);
    const states = liveUnits(bank).flatMap((unit) =>
      createDemoStateRows(bank.bankId, unit, { errorId: lastErrorId(ofUnit.get(unit) ?? []) }, random),
    );
    await insertRows(db, 'unit_states', states);
    await insertDocumentRows(db, documents);
  }
  await db.updateTable('state_series_heads').set({ allocated: series }).execute();
}

/** Cycles of documents are settings that the equipment writes. */
function listCycleEdits(bank: DemoBank, { document_cycles: cycles }: DocumentRows): SettingEdit[] {
  const units = new Map(liveUnits(bank).map((unit) => [`${unit.locationId}/${unit.unitId}`, unit]));
  return cycles.flatMap(({ location_id, unit_id, at, value }) => {
    const unit = units.get(`${location_id}/${unit_id}`);
    return unit === undefined ? [] : [{ unit, name: cycleSetting, value: value ?? '', editedAt: at, editorId: null }];
  });
}

/** The number of records in the outbox of a bank so far. */
async function countQueued(db: WriteDb, bankId: number): Promise<number> {
  const head = await db
    .selectFrom('device_sync_heads')
    .select('queued')
    .where('bank_id', '=', bankId)
    .executeTakeFirst();
  return head?.queued ?? 0;
}

/** Numbers edits in order of time: each gets its unit's next version, and a record id if the equipment must be told. */
function numberEdits(edits: readonly SettingEdit[], before: number): NumberedEdit[] {
  const versions = new Map<DemoUnit, number>();
  let queued = before;
  return edits.map((edit) => {
    const version = (versions.get(edit.unit) ?? 1) + 1;
    versions.set(edit.unit, version);
    if (edit.editorId !== null) queued += 1;
    return { ...edit, changedAt: edit.editedAt, version, syncId: edit.editorId === null ? null : queued };
  });
}

const lastErrorId = (edits: readonly SettingEdit[]): number =>
  Number(edits.findLast(({ name }) => name === 'AutoOutOfOrder')?.value ?? 0);

async function updateUnitVersion(
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
