// Lists the units that took themselves out of order with an error, newest error first.

import type { Db } from '../../../database/db.ts';
import { sql, type SqlBool } from 'kysely';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { hasValidType, idText, runLookup, selectVisibleUnits, type StatusUnitRow } from './visible-units.ts';

/**
 * The only out-of-order setting that holds the number of an error. Those about SMS (`OutOfOrderSmsNumber`,
 * `OutOfOrderSmsLimit`) have numbers of another kind, and `OutOfOrder` is set by people.
 */
const outOfOrderErrorSetting = 'AutoOutOfOrder';

type OutOfOrderUnitRow = StatusUnitRow & {
  /** Digits. */
  readonly error_id: string;
  /** What the unit reports about this error; null if it reports another one, or none. */
  readonly error_text: string | null;
  /** When the setting was written, MS2000. */
  readonly changed_at: number;
};

/** Longer numbers would lose digits in JSON; no equipment has such errors. */
const maxErrorDigits = 15;

/** Units without a valid type are left out. */
export function listOutOfOrderUnits(db: Db, scope: Scope, limit: number): Promise<OutOfOrderUnitRow[]> {
  const value = sql.ref<string>('s.value');
  return runLookup(db, scope, { name: 'units out of order', values: { limit } }, (bind) =>
    selectVisibleUnits(db, scope)
      .innerJoin('unit_settings as s', onEqual('s', 'u', 'bank_id', 'location_id', 'unit_id'))
      // By the primary key: only for the units that are out of order.
      .leftJoin('unit_states as e', (join) =>
        join
          .onRef('e.bank_id', '=', 'u.bank_id')
          .onRef('e.location_id', '=', 'u.location_id')
          .onRef('e.unit_id', '=', 'u.unit_id')
          .on('e.name', '=', sql.lit('ErrorId'))
          .onRef('e.value', '=', 's.value'),
      )
      .leftJoin('unit_states as t', (join) =>
        join
          .onRef('t.bank_id', '=', 'e.bank_id')
          .onRef('t.location_id', '=', 'e.location_id')
          .onRef('t.unit_id', '=', 'e.unit_id')
          .on('t.name', '=', sql.lit('ErrorText')),
      )
      .select([sql<string>`s.value`.as('error_id'), 't.value as error_text', 's.changed_at'])
      // A literal, as in the condition of the index.
      .where('s.name', '=', sql.lit(outOfOrderErrorSetting))
      .where(hasValidType)
      // Bounds of all texts whose first character is a digit from 1 on: the index passes over units without an error.
      .where('s.value', '>=', sql.lit('1'))
      .where('s.value', '<', sql.lit(':'))
      .where(db.dialect.isPositiveInteger(value))
      .where(sql<SqlBool>`${db.dialect.characterLength(value)} <= ${sql.lit(maxErrorDigits)}`)
      .where(db.dialect.interruptCheck(sql.ref('s.changed_at')))
      .orderBy('s.changed_at', 'desc')
      .orderBy(idText('bank_id'))
      .orderBy(idText('location_id'))
      .orderBy(idText('unit_id'))
      .limit(bind<number>('limit')),
  );
}
