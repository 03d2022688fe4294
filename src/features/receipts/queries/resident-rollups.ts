// Reads the sums of a resident's history from the resident roll-ups.

import { sumHalves } from '../../account/queries/posting-sums.ts';
import { sql, type SqlBool } from 'kysely';
import { withoutIndex } from '../../../database/statements/without-index.ts';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { StoredHistorySum } from '../rules/history-sums.ts';
import type { BankResident, ResidentHistory } from '../rules/resident-history.ts';

/**
 * The sums of every period, shown or not, since each counts in the balances. A sum of a shown period with postings on both
 * sides of the cutoff is followed by the part of it that is not visible.
 */
export const listHistorySums = (
  db: Db,
  { bank: { bankId }, residentId, firstPeriod, cutoff }: ResidentHistory,
): Promise<StoredHistorySum[]> =>
  runPrepared(db, 'receipts history sums', { bankId, residentId, firstPeriod, cutoff }, (bind) =>
    selectAllPeriods(db, bind).unionAll(selectNotVisibleParts(db, bind)),
  );

const versionColumns = ['count', 'fingerprint_high', 'fingerprint_low'] as const;

/** A text that changes with every posting of the resident. */
export async function readPostingsVersion(db: Db, { bank: { bankId }, residentId }: BankResident): Promise<string> {
  const [row] = await runPrepared(db, 'receipts postings version', { bankId, residentId }, (bind) =>
    selectResidentRollups(db, bind).select(({ fn }) =>
      versionColumns.map((column) => fn.sum<number>(column).as(column)),
    ),
  );
  // The sums are null if there are no postings.
  return versionColumns.map((column) => row?.[column] ?? 0).join('/');
}

const selectResidentRollups = (db: Db, bind: BindParameter) =>
  db
    .selectFrom('resident_rollups')
    .where('resident_rollups.bank_id', '=', bind<number>('bankId'))
    .where('resident_rollups.user_id', '=', bind<number>('residentId'));

const selectAllPeriods = (db: Db, bind: BindParameter) =>
  selectResidentRollups(db, bind)
    .select(['period as of_period', 'currency', 'kind', 'is_credit', 'count'])
    .select(['amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low', 'text_bytes'])
    .select(['earliest', 'latest', sql<number>`0`.as('is_not_visible_part')]);

/** The part before the cutoff of each sum that has postings on both sides of it. */
function selectNotVisibleParts(db: Db, bind: BindParameter) {
  const cutoff = bind<number>('cutoff');
  return selectResidentRollups(db, bind)
    .innerJoin('postings as p', (join) =>
      join
        .onRef('p.bank_id', '=', 'resident_rollups.bank_id')
        .onRef('p.user_id', '=', 'resident_rollups.user_id')
        .onRef('p.recorded_at', '>=', 'resident_rollups.earliest')
        .on('p.recorded_at', '<', cutoff)
        // An index by period would lead through the postings of all residents.
        .on(withoutIndex('p.period'), '=', sql.ref<number>('resident_rollups.period'))
        .onRef('p.currency', '=', 'resident_rollups.currency')
        .onRef('p.kind', '=', 'resident_rollups.kind')
        .on(sql`(p.amount_minor > 0)`, '=', sql.ref('resident_rollups.is_credit')),
    )
    .where('resident_rollups.period', '>=', bind<number>('firstPeriod'))
    .where('resident_rollups.earliest', '<', cutoff)
    .where('resident_rollups.latest', '>=', cutoff)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(sql.ref('p.posting_id'))}`)
    .select(['resident_rollups.period as of_period', 'resident_rollups.currency'])
    .select(['resident_rollups.kind', 'resident_rollups.is_credit'])
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      ...sumHalves(db, 'amount', 'p.amount_minor'),
      ...sumHalves(db, 'fingerprint', 'p.fingerprint'),
      sql<number>`sum(octet_length(p.text))`.as('text_bytes'),
      fn.min<number>('p.recorded_at').as('earliest'),
      fn.max<number>('p.recorded_at').as('latest'),
      sql<number>`1`.as('is_not_visible_part'),
    ])
    .groupBy([
      'resident_rollups.period',
      'resident_rollups.currency',
      'resident_rollups.kind',
      'resident_rollups.is_credit',
    ]);
}
