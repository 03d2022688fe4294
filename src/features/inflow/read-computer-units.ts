// Finds the units of a computer by their KIDs, and records that they were heard of.

import type { Db } from '../../database/db.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import type { UnitKey, WholeGrantedBank } from '../../permissions/coverage.ts';
import { listComputerUnits, type ComputerUnitRow } from '../computers/queries/computer-units.ts';
import type { UnitContact } from './queries/contacts.ts';

export type ComputerUnit = UnitKey & ComputerUnitRow;

/** Every other unit is unknown to the computer, whether or not it exists. */
export async function readComputerUnits(
  db: Db,
  bank: WholeGrantedBank,
  computerName: string,
): Promise<ReadonlyMap<string, ComputerUnit>> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const rows = await listComputerUnits(db, bank, computerName);
  return new Map(
    rows.map((row) => [
      formatUnitKid(formatLocationKid(bankKid, row.location_id), row.unit_id),
      { ...row, bankId: row.bank_id, locationId: row.location_id, unitId: row.unit_id },
    ]),
  );
}

type HeardLine = { readonly unit: ComputerUnit | undefined; readonly at: number | undefined };

/** The last contact of each unit that lines name, at most now. */
export function toUnitContacts(lines: readonly HeardLine[], now: number): UnitContact[] {
  const contacts = new Map<ComputerUnit, number>();
  for (const { unit, at = now } of lines)
    if (unit !== undefined) contacts.set(unit, Math.max(contacts.get(unit) ?? -Infinity, Math.min(at, now)));
  return [...contacts].map(([unit, at]) => ({ unit, before: unit.last_contact_at, at }));
}
