// Reads and writes the commands of units.

import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedUnit, GrantedBank, UnitKey } from '../../../permissions/coverage.ts';

/** The command of the last row of a page. */
export type CommandPosition = readonly [commandId: number];

const selectCommands = (db: Db, { bankId, locationId, unitId }: GrantedUnit) =>
  db
    .selectFrom('unit_commands as c')
    .leftJoin('managers as m', 'm.manager_id', 'c.created_by')
    .leftJoin('device_sync as d', onEqual('d', 'c', 'bank_id', 'sync_id'))
    .select(['c.command_id', 'c.name', 'c.created_at', 'c.expires_at', 'c.finished_at', 'c.succeeded', 'c.result_code'])
    .select(['m.name as creator_name', 'd.state as sync_state', 'd.code as sync_code'])
    .where('c.bank_id', '=', bankId)
    .where('c.location_id', '=', locationId)
    .where('c.unit_id', '=', unitId);

/** Newest first. */
export const listUnitCommands = (db: Db, unit: GrantedUnit, { after, offset, limit }: PageSlice<CommandPosition>) =>
  selectCommands(db, unit)
    .$if(after !== undefined, (query) => query.where('c.command_id', '<', after?.[0] ?? 0))
    .orderBy('c.command_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export type UnitCommandRow = Awaited<ReturnType<typeof listUnitCommands>>[number];

/** Its id is that of its record in the outbox, which is unique in the bank. */
export async function insertUnitCommand(db: WriteDb, row: Tables['unit_commands']): Promise<void> {
  await db.insertInto('unit_commands').values(row).execute();
}

export const getUnitCommand = async (db: Db, unit: GrantedUnit, commandId: number): Promise<UnitCommandRow> =>
  selectCommands(db, unit).where('c.command_id', '=', commandId).executeTakeFirstOrThrow();

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
