// Selects the units of computers. What is to be said of a computer is said at the first of its units that a manager sees.

import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { textWithoutIndex, withoutIndex } from '../../../database/statements/without-index.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { idText, selectVisibleUnits, type AlertUnitRow } from './visible-units.ts';

/** A computer, and when what is said of it was so. */
type ComputerAlertRow = {
  readonly bank_id: number;
  readonly computer_id: number;
  /** MS2000. */
  readonly alert_at: number;
};

/** The computers that were enrolled and are not revoked, as `c`, and what they last said, as `t`. */
export const selectEnrolledComputers = (db: Db) =>
  db
    .selectFrom('computers as c')
    .innerJoin('computer_states as t', onEqual('t', 'c', 'bank_id', 'computer_id'))
    .where('c.revoked_at', 'is', null)
    .where(db.dialect.interruptCheck(sql.ref('c.computer_id')));

/**
 * The first unit of each of these computers that the grants cover. There are fewer computers than units: the indexes that
 * are not used would lead from the units to them.
 */
export function selectFirstUnits<DB, TB extends keyof DB>(
  db: Db,
  scope: Pick<Scope, 'grants'>,
  computers: SelectQueryBuilder<DB, TB, ComputerAlertRow>,
) {
  const units = selectVisibleUnits(db, scope)
    .innerJoin('computers as c', (join) =>
      join.on('u.bank_id', '=', withoutIndex('c.bank_id')).on('u.computer_name', '=', textWithoutIndex('c.name')),
    )
    .innerJoin(computers.as('n'), onEqual('n', 'c', 'bank_id', 'computer_id'))
    .select(['n.alert_at', placeOfUnit.as('place_of_unit')]);
  return db.selectFrom(units.as('f')).where('f.place_of_unit', '=', 1);
}

const placeOfUnit = sql<number>`row_number() over (
  partition by c.bank_id, c.computer_id order by u.location_id, u.unit_id)`;

/** One alert for each of these computers. */
export const listComputerAlerts = <DB, TB extends keyof DB>(
  db: Db,
  scope: Scope,
  computers: SelectQueryBuilder<DB, TB, ComputerAlertRow>,
  limit: number,
): Promise<AlertUnitRow[]> => orderAlerts(selectFirstUnits(db, scope, computers).selectAll('f'), limit, 'f').execute();

/** The latest first; those at the same time in the order of their KIDs. */
export const orderAlerts = <DB, TB extends keyof DB, O>(
  alerts: SelectQueryBuilder<DB, TB, O>,
  limit: number,
  alias = 'u',
): SelectQueryBuilder<DB, TB, O> =>
  alerts
    .orderBy(sql.ref('alert_at'), 'desc')
    .orderBy(idText('bank_id', alias))
    .orderBy(idText('location_id', alias))
    .orderBy(idText('unit_id', alias))
    .limit(limit);
