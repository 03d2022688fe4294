// Records what a device says it has done with a command.

import type { WriteDb } from '../../../database/db.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';

type CommandResult = {
  readonly commandId: number;
  readonly unit: UnitKey;
  readonly ok: boolean;
  readonly code: string | null;
  /** When it was done, MS2000. */
  readonly at: number;
};

/**
 * Also for a command that has expired. The first result counts. The device has the command: its record in the outbox is
 * acknowledged, or failed. False if the unit has no such command.
 */
export async function recordCommandResult(
  db: WriteDb,
  { bankId }: GrantedBank,
  { commandId, unit, ok, code, at }: CommandResult,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unit_commands')
    .set({ finished_at: at, succeeded: ok ? 1 : 0, result_code: code })
    .where('bank_id', '=', bankId)
    .where('command_id', '=', commandId)
    .where('location_id', '=', unit.locationId)
    .where('unit_id', '=', unit.unitId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return hasCommand(db, bankId, commandId, unit);
  await db
    .updateTable('device_sync')
    .set({ state: ok ? 'acknowledged' : 'failed', code: ok ? null : code, updated_at: now })
    .where('bank_id', '=', bankId)
    .where('subject_kind', '=', 'command')
    .where('sync_id', '=', commandId)
    .where('state', 'in', ['queued', 'sent', 'expired'])
    .execute();
  return true;
}

async function hasCommand(db: WriteDb, bankId: number, commandId: number, unit: UnitKey): Promise<boolean> {
  const row = await db
    .selectFrom('unit_commands')
    .select('command_id')
    .where('bank_id', '=', bankId)
    .where('command_id', '=', commandId)
    .where('location_id', '=', unit.locationId)
    .where('unit_id', '=', unit.unitId)
    .executeTakeFirst();
  return row !== undefined;
}
