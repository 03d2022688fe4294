// Settings that the units of demo data were given, with the history that a write would have left behind.

import type { WriteDb } from '../../database/db.ts';
import { insertRows } from '../../database/insert-rows.ts';
import type { Tables } from '../../database/tables.ts';

type SettingRow = Tables['unit_settings'];

export type StoredSettingValue = {
  readonly name: string;
  /** Canonically spelled, as the catalogue's definition wants it. */
  readonly value: string | null;
  /** MS2000. */
  readonly changedAt: number;
  /** The manager who wrote it; null where the equipment did. */
  readonly editorId?: number | null;
  /** The unit's version that it was written with; 1, which every unit has, is how the unit was set up. */
  readonly version?: number;
  /** Its record in the outbox. */
  readonly syncId?: number | null;
};

export type SettingRows = { readonly settings: readonly SettingRow[]; readonly history: readonly SettingRow[] };

/** The rows of values that one unit was given, oldest first: the last of a name holds, all of them are its history. */
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

/** Writes them, of as many units as there are. */
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
