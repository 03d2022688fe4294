// What is read of a bank beside its postings: its head, its settlement periods, and which deleted places postings name.

import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import { coverageOf, type Coverage } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { retentionSettingName } from '../../residents/queries/retention-setting.ts';
import { grains } from '../rules/rollups.ts';
import type { TimeInterval } from '../rules/account-selection.ts';

export type AccountBankState = {
  readonly deleted_at: number | null;
  readonly places_version: number;
  readonly open_period: number;
  readonly opened_at: number;
  /** How many of the ledger's postings are reversals: each shows at its original, too. */
  readonly reversals: number;
  readonly retention: string | null;
  /** How many of the bank's identities have expired: a number that only grows. */
  readonly expired: number;
};

/** A bank's state as account reads need it; undefined where it is missing, deleted or out of reach. */
export async function findAccountBankState(
  db: Db,
  { grants }: Scope,
  bankId: number,
  now: number,
): Promise<AccountBankState | undefined> {
  if (coverageOf(grants, bankId) === undefined) return undefined;
  const [head] = await runPrepared(db, 'account head', { bankId, now, retentionSetting: retentionSettingName }, (at) =>
    db
      .selectFrom('banks')
      .innerJoin('ledgers', 'ledgers.bank_id', 'banks.bank_id')
      .select(['deleted_at', 'places_version', 'open_period', 'opened_at', 'reversals'])
      .select((eb) => [
        eb
          .selectFrom('tenant_settings')
          .select('value')
          .where('name', '=', at<string>('retentionSetting'))
          .as('retention'),
        eb
          .selectFrom('residents')
          .select(({ fn }) => fn.countAll<number>().as('expired'))
          .where('residents.bank_id', '=', at<number>('bankId'))
          .where('expired_at', '<=', at<number>('now'))
          .$asScalar()
          .$notNull()
          .as('expired'),
      ])
      .where('banks.bank_id', '=', at<number>('bankId'))
      .where('deleted_at', 'is', null),
  );
  return head;
}

export type ClosedPeriodRow = { readonly period: number; readonly from_at: number; readonly through_at: number };

const maxOfferedPeriods = 100;

/** The latest closed periods; for some locations alone, those that hold a posting of theirs. */
export function listOfferedPeriods(db: Db, bankId: number, coverage: Coverage | undefined): Promise<ClosedPeriodRow[]> {
  let query = db
    .selectFrom('settlement_periods as closed')
    .select(['period', 'from_at', 'through_at'])
    .where('bank_id', '=', bankId)
    .orderBy('period', 'desc')
    .limit(maxOfferedPeriods);
  if (coverage !== 'all') {
    const locations = [...(coverage ?? [])];
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posting_rollups as r')
          .select(sql<number>`1`.as('one'))
          .where('r.bank_id', '=', bankId)
          .where('r.location_id', 'in', locations.length === 0 ? [-1] : locations)
          .where('r.unit_id', '=', 0)
          .where('r.grain', '=', grains.period)
          .whereRef('r.bucket', '=', 'closed.period'),
      ),
    );
  }
  return query.execute();
}

/** The time that a period's postings span, late arrivals among them; undefined where it has none. */
export async function findPeriodInterval(
  db: Db,
  bankId: number,
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

/** The deleted places of a bank that postings still name: location ids with unit 0, and units, as `location/unit`. */
export async function listPostedDeletedPlaces(db: Db, bankId: number): Promise<Set<string>> {
  const locations = db
    .selectFrom('locations as place')
    .select(['place.location_id', sql<number>`0`.as('unit_id')])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOf(db, sql`0`)));
  const units = db
    .selectFrom('units as place')
    .select(['place.location_id', 'place.unit_id'])
    .where('place.bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .where(({ exists }) => exists(selectRollupsOf(db, sql.ref('place.unit_id'))));
  const rows = await locations.unionAll(units).execute();
  return new Set(rows.map(({ location_id, unit_id }) => `${location_id}/${unit_id}`));
}

/** Whether there is a roll-up of `place`, asked for by the whole beginning of its key. */
function selectRollupsOf(db: Db, unitId: RawBuilder<unknown>) {
  return db
    .selectFrom('posting_rollups as r')
    .select(sql<number>`1`.as('one'))
    .where(sql<SqlBool>`r.bank_id = place.bank_id and r.location_id = place.location_id and r.unit_id = ${unitId}`)
    .where('r.grain', '=', sql.lit(grains.period));
}
