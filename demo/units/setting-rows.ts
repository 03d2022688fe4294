// Creates the rows of demo units' settings, with the history that real writes would have left.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';

type SettingRow = Tables['unit_settings'];

export type StoredSettingValue = {
  readonly name: string;
  /** In the canonical form of the catalogue. */
  readonly value: string | null;
  /** MS2000. */
  readonly changedAt: number;
  /** The manager who wrote it; null for the equipment. */
  readonly editorId?: number | null;
  /** The version of the unit that the write created; 1 is the unit's initial version. */
  readonly version?: number;
  /** The id of its record in the outbox. */
  readonly syncId?: number | null;
};

export type SettingRows = { readonly settings: readonly SettingRow[]; readonly history: readonly SettingRow[] };

/**
 * The rows of one unit's values, oldest first: the last one of a name is the present value, and all are its history.
 */
export function createSettingRows(
  unit: { readonly bankId: number; readonly locationId: number; readonly unitId: number },
  given: readonly StoredSettingValue[],
): SettingRows {
  const history = given.map(({ name, value, changedAt, editorId = null, version = 1, syncId = null }): SettingRow => ({
    bank_id: unit.bankId,
    location_id: unit.locationId,
    unit_id: unit.unitId,
    name,
    value,
    version,
    changed_at: changedAt,
    editor_id: editorId,
    sync_id: syncId,
  }));
  return { settings: [...new Map(history.map((row) => [row.name, row])).values()], history };
}

/** Writes the rows of any number of units. */
export async function insertSettingRows(db: WriteDb, units: readonly SettingRows[]): Promise<void> {
  await insertRows(
    db,
    'unit_settings',
    units.flatMap(({ settings }) => settings),
  );
  await insertRows(
    db,
    'unit_setting_history',
    units.flatMap(({ history }) => history),
  );
}
