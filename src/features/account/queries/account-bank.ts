// Reads what an account needs of its bank besides the postings: its state, its periods, and deleted places that postings
// name.

import { sql, type SqlBool, type RawBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import { coveredLocationIds, type GrantedBank } from '../../../permissions/coverage.ts';
import { selectExpiredIdentities } from '../../residents/queries/identities.ts';
import { selectRetentionSetting } from '../../residents/queries/retention-setting.ts';
import type { TimeInterval } from '../rules/account-selection.ts';
import { grains } from '../rules/time-buckets.ts';

export type AccountBankState = {
  readonly places_version: number;
  readonly residents_version: number;
  /** The number of the open settlement period. */
  readonly open_period: number;
  readonly opened_at: number;
  /** The id of the bank's next posting. */
  readonly next_posting_id: number;
  /** How many of the ledger's postings are reversals: each changes what its original shows. */
  readonly reversals: number;
  /** The tenant's retention of identities, as it is stored. */
  readonly retention_setting: string | null;
  /** How many of the bank's identities have expired. It only grows. */
  readonly expired_resident_count: number;
};

/** Undefined if the bank does not exist or is deleted. */
export async function findAccountBankState(
  db: Db,
  { bankId }: GrantedBank,
  now: number,
): Promise<AccountBankState | undefined> {
  const [state] = await runPrepared(db, 'account bank state', { bankId, now }, (bind) =>
    db
      .selectFrom('banks')
      .innerJoin('ledgers', 'ledgers.bank_id', 'banks.bank_id')
      .select(['places_version', 'residents_version', 'open_period', 'opened_at', 'next_posting_id', 'reversals'])
      .select([
        selectRetentionSetting(db),
        selectExpiredIdentities(db, { bankId: bind('bankId'), now: bind('now') })
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('expired_resident_count'),
      ])
      .where('banks.bank_id', '=', bind<number>('bankId'))
      .where('deleted_at', 'is', null),
  );
  return state;
}

/** Undefined if the period has no postings. */
export async function findPeriodInterval(
  db: Db,
  { bankId }: GrantedBank,
  storedPeriod: number,
): Promise<TimeInterval | undefined> {
  const rows = db
    .selectFrom('postings')
    .where('bank_id', '=', bankId)
    .where('period', '=', storedPeriod)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('posting_id'))}`);
  const { first = null, last = null } =
    (await db
      .selectNoFrom([
        rows.select(({ fn }) => fn.min('recorded_at').as('first')).as('first'),
        rows.select(({ fn }) => fn.max('recorded_at').as('last')).as('last'),
      ])
      .executeTakeFirst()) ?? {};
  return first === null || last === null ? undefined : { from: first, to: last + 1 };
}

const maxOfferedPeriods = 100;

/** The latest closed periods, newest first. With location grants, those in which a covered location has postings. */
export function listOfferedPeriods(db: Db, bank: GrantedBank) {
  const { bankId } = bank;
  const locationIds = coveredLocationIds(bank);
  let query = db
    .selectFrom('settlement_periods as closed')
    .select(['period', 'from_at', 'through_at'])
    .where('bank_id', '=', bankId)
    .orderBy('period', 'desc')
    .limit(maxOfferedPeriods);
  if (locationIds !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posting_rollups as r')
          .select(sql<number>`1`.as('one'))
          .where('r.bank_id', '=', bankId)
          .where('r.location_id', 'in', locationIds.length === 0 ? [-1] : locationIds)
          .where('r.unit_id', '=', 0)
          .where('r.grain', '=', grains.period)
          .whereRef('r.bucket', '=', 'closed.period'),
      ),
    );
  return query.execute();
}

/** The deleted places that postings still name, as `location/unit`; the unit of a location itself is 0. */
export async function listPostedDeletedPlaces(db: Db, { bankId }: GrantedBank): Promise<Set<string>> {
  const locations = db
    .selectFrom('locations as place')
    .select(['place.location_id', sql<number>`0`.as('unit_id')])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOfPlace(db, sql`0`)));
  const units = db
    .selectFrom('units as place')
    .select(['place.location_id', 'place.unit_id'])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOfPlace(db, sql.ref('place.unit_id'))));
  const rows = await locations.unionAll(units).execute();
  return new Set(rows.map(({ location_id, unit_id }) => `${location_id}/${unit_id}`));
}

/** Compares the first columns of the roll-ups' primary key, so that each place costs one index look-up. */
const selectRollupsOfPlace = (db: Db, unitId: RawBuilder<unknown>) =>
  db
    .selectFrom('posting_rollups as r')
    .select(sql<number>`1`.as('one'))
    .where(sql<SqlBool>`r.bank_id = place.bank_id and r.location_id = place.location_id and r.unit_id = ${unitId}`)
    .where('r.grain', '=', sql.lit(grains.period));
