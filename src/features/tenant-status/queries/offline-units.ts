// Lists the units that are offline, by their last contact, the latest first.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { bankTypes } from '../../places/rules/bank-types.ts';
import { testCluster } from '../../places/rules/unit-types.ts';
import { contactBounds } from '../../places/rules/contact-status.ts';
import { idText, runLookup, selectVisibleUnits, type AlertUnitRow, type LookupOptions } from './visible-units.ts';

/** A bank without a type, 0, has no offline units, and neither has the cluster for tests. */
export function listOfflineUnits(db: Db, scope: Scope, { now, limit }: LookupOptions): Promise<AlertUnitRow[]> {
  const [cash, other] = [contactBounds(bankTypes.cash, now), contactBounds(bankTypes.rent, now)];
  const values = { from: cash.offlineFrom, cashUntil: cash.onlineAfter, otherUntil: other.onlineAfter, limit };
  return runLookup(db, scope, { name: 'offline units', values }, (bind) =>
    selectVisibleUnits(db, scope)
      .select(sql<number>`u.last_contact_at`.as('alert_at'))
      .where('u.last_contact_at', '>=', bind<number>('from'))
      .where('u.last_contact_at', '<=', bind<number>('cashUntil'))
      .where(sql<SqlBool>`(b.bank_type = ${sql.lit(bankTypes.cash)} or u.last_contact_at + 0 <= ${bind('otherUntil')})`)
      .where('b.bank_type', '<>', sql.lit(0))
      .where((eb) => eb.or([eb('u.cluster', 'is', null), eb('u.cluster', '<>', sql.lit(testCluster))]))
      .where(db.dialect.interruptCheck(sql.ref('u.last_contact_at')))
      .orderBy('u.last_contact_at', 'desc')
      .orderBy(idText('bank_id'))
      .orderBy(idText('location_id'))
      .orderBy(idText('unit_id'))
      .limit(bind<number>('limit')),
  );
}
