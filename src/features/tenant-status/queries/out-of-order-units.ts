// Lists the units that took themselves out of order with an error, newest error first.

import type { Db } from '../../../database/db.ts';
import { sql, type SqlBool } from 'kysely';
import type { Scope } from '../../../permissions/scope.ts';
import { hasValidType, idText, selectVisibleUnits, type StatusUnitRow } from './visible-units.ts';

/**
 * The only out-of-order setting that holds the number of an error. Those about SMS (`OutOfOrderSmsNumber`,
 * `OutOfOrderSmsLimit`) have numbers of another kind, and `OutOfOrder` is set by people.
 */
const outOfOrderErrorSetting = 'AutoOutOfOrder';

type OutOfOrderUnitRow = StatusUnitRow & {
  /** Digits. */
  readonly error_id: string;
  /** When the setting was written, MS2000. */
  readonly changed_at: number;
};

/** Longer numbers would lose digits in JSON; no equipment has such errors. */
const maxErrorDigits = 15;

/** Units without a valid type are left out. */
export function listOutOfOrderUnits(db: Db, scope: Scope, limit: number): Promise<OutOfOrderUnitRow[]> {
  const value = sql.ref<string>('s.value');
  return (
    selectVisibleUnits(db, scope)
      .innerJoin('unit_settings as s', (join) =>
        join
          .onRef('s.bank_id', '=', 'u.bank_id')
          .onRef('s.location_id', '=', 'u.location_id')
          .onRef('s.unit_id', '=', 'u.unit_id'),
      )
      .select([sql<string>`s.value`.as('error_id'), 's.changed_at'])
      // A literal, as in the condition of the index.
      .where('s.name', '=', sql.lit(outOfOrderErrorSetting))
      .where(hasValidType)
      // Bounds of all texts whose first character is a digit from 1 on: the index passes over units without an error.
      .where('s.value', '>=', '1')
      .where('s.value', '<', ':')
      .where(db.dialect.isPositiveInteger(value))
      .where(sql<SqlBool>`${db.dialect.characterLength(value)} <= ${maxErrorDigits}`)
      .where(db.dialect.interruptCheck(sql.ref('s.changed_at')))
      .orderBy('s.changed_at', 'desc')
      .orderBy(idText('bank_id'))
      .orderBy(idText('location_id'))
      .orderBy(idText('unit_id'))
      .limit(limit)
      .execute()
  );
}
