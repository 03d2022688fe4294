// Lists the units of which lines wait for a manager, by the newest line, the latest first.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Grants } from '../../../permissions/needs.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { orderAlerts, selectFirstUnits } from './computer-units.ts';
import { selectVisibleUnits, type AlertUnitRow } from './visible-units.ts';

/** A line that names no unit is that of the first unit of its computer, for those who see the whole bank. */
export const listHeldLineUnits = (db: Db, scope: Scope, limit: number): Promise<AlertUnitRow[]> => {
  const lines = selectLinesOfUnits(db).unionAll(selectLinesOfComputers(db, wholeBanksOf(scope)));
  const newest = db
    .selectFrom(lines.as('a'))
    .select((eb) => ['a.bank_id', 'a.location_id', 'a.unit_id', eb.fn.max<number>('a.received_at').as('received_at')])
    .groupBy(['a.bank_id', 'a.location_id', 'a.unit_id']);
  const units = selectVisibleUnits(db, scope)
    .innerJoin(newest.as('h'), onEqual('h', 'u', 'bank_id', 'location_id', 'unit_id'))
    .select('h.received_at as alert_at');
  return orderAlerts(units, limit).execute();
};

const selectLinesOfUnits = (db: Db) =>
  db
    .selectFrom('held_lines as h')
    .select((eb) => ['h.bank_id', 'h.location_id', 'h.unit_id', eb.fn.max<number>('h.received_at').as('received_at')])
    .where('h.state', '=', 'held')
    .where('h.location_id', '<>', 0)
    .where(db.dialect.interruptCheck(sql.ref('h.held_id')))
    .groupBy(['h.bank_id', 'h.location_id', 'h.unit_id']);

const selectLinesOfComputers = (db: Db, wholeBanks: Pick<Scope, 'grants'>) => {
  const computers = db
    .selectFrom('held_lines as h')
    .select((eb) => ['h.bank_id', 'h.computer_id', eb.fn.max<number>('h.received_at').as('alert_at')])
    .where('h.state', '=', 'held')
    .where('h.location_id', '=', 0)
    .where(db.dialect.interruptCheck(sql.ref('h.held_id')))
    .groupBy(['h.bank_id', 'h.computer_id']);
  return selectFirstUnits(db, wholeBanks, computers).select([
    'f.bank_id',
    'f.location_id',
    'f.unit_id',
    'f.alert_at as received_at',
  ]);
};

/** Leaves out the grants of single locations. */
const wholeBanksOf = ({ grants }: Scope): { readonly grants: Grants } => ({
  grants: { ...grants, locations: new Map() },
});
