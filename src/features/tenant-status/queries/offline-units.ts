// Lists the units that are offline, by their last contact, the latest first.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { bankTypes } from '../../places/rules/bank-types.ts';
import { testCluster } from '../../places/rules/clusters.ts';
import { contactBounds } from '../../places/rules/contact-status.ts';
import { idText, selectVisibleUnits, type AlertUnitRow } from './visible-units.ts';

type OfflineOptions = {
  /** MS2000. */
  readonly now: number;
  readonly limit: number;
};

/** A bank without a type, 0, has no offline units, and neither has the cluster for tests. */
export function listOfflineUnits(db: Db, scope: Scope, { now, limit }: OfflineOptions): Promise<AlertUnitRow[]> {
  const [cash, other] = [contactBounds(bankTypes.cash, now), contactBounds(bankTypes.rent, now)];
  return selectVisibleUnits(db, scope)
    .select(sql<number>`u.last_contact_at`.as('alert_at'))
    .where('u.last_contact_at', '>=', cash.offlineFrom)
    .where('u.last_contact_at', '<=', cash.onlineAfter)
    .where(sql<SqlBool>`(b.bank_type = ${bankTypes.cash} or u.last_contact_at + 0 <= ${other.onlineAfter})`)
    .where('b.bank_type', '<>', 0)
    .where((eb) => eb.or([eb('u.cluster', 'is', null), eb('u.cluster', '<>', testCluster)]))
    .where(db.dialect.interruptCheck(sql.ref('u.last_contact_at')))
    .orderBy('u.last_contact_at', 'desc')
    .orderBy(idText('bank_id'))
    .orderBy(idText('location_id'))
    .orderBy(idText('unit_id'))
    .limit(limit)
    .execute();
}
