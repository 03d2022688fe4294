// Reads the state of a bank that account reads need besides its postings.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { selectExpiredIdentities } from '../../residents/queries/identities.ts';
import { selectRetentionSetting } from '../../residents/queries/retention-setting.ts';

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
