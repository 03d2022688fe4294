// Writes the states that devices report. Of each state the newest value is kept.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { replaceRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank, UnitKey } from '../../../permissions/coverage.ts';

type ReportedState = {
  readonly unit: UnitKey;
  readonly name: string;
  /** The value as it is stored. */
  readonly value: string | null;
  /** MS2000. */
  readonly at: number;
};

type StateRow = Tables['unit_states'];

/** The last one of several values of one time counts. The rows are written in one order, whoever reports them. */
export async function storeReportedStates(
  db: WriteDb,
  bank: GrantedBank,
  states: readonly ReportedState[],
): Promise<void> {
  const newest = new Map<string, StateRow>();
  for (const { unit, name, value, at } of states) {
    const row = {
      bank_id: bank.bankId,
      location_id: unit.locationId,
      unit_id: unit.unitId,
      name,
      value,
      reported_at: at,
    };
    if (at >= (newest.get(rowKeyOf(row))?.reported_at ?? at)) newest.set(rowKeyOf(row), row);
  }
  if (newest.size === 0) return;
  const reportedAt = await readReportTimes(db, bank, [...newest.values()]);
  const newer = [...newest]
    .filter(([key, { reported_at }]) => reported_at >= (reportedAt.get(key) ?? reported_at))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  await replaceRows(
    db,
    'unit_states',
    newer.map(([, row]) => row),
  );
}

const rowKeyOf = ({ location_id, unit_id, name }: Pick<StateRow, 'location_id' | 'unit_id' | 'name'>): string =>
  `${location_id}/${unit_id}/${name}`;

async function readReportTimes(
  db: Db,
  { bankId }: GrantedBank,
  rows: readonly StateRow[],
): Promise<ReadonlyMap<string, number>> {
  const units = [...new Map(rows.map((row) => [`${row.location_id}/${row.unit_id}`, row])).values()];
  const isOfUnits = units.map(
    ({ location_id, unit_id }) => sql`(location_id = ${location_id} and unit_id = ${unit_id})`,
  );
  const stored = await db
    .selectFrom('unit_states')
    .select(['location_id', 'unit_id', 'name', 'reported_at'])
    .where('bank_id', '=', bankId)
    .where(sql<boolean>`(${sql.join(isOfUnits, sql` or `)})`)
    .execute();
  return new Map(stored.map((row) => [rowKeyOf(row), row.reported_at]));
}
