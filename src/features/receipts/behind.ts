// What stands behind a page of receipts: whether the resident may be seen, the bank as it is, and the sums of all the
// postings. In most cases the bank is as the last read saw it, and one turn to the database is all it takes.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { KidOf } from '../../lib/kid.ts';
import { reachOf } from '../../permissions/needs.ts';
import type { BankFacts, Expected, KnownBanks } from './known-banks.ts';
import type { Behind, KnownPages } from './known-pages.ts';
import type { KnownShares } from './known-shares.ts';
import { findHead } from './queries/head.ts';
import { admit } from './rules/residents.ts';
import { historyOf, isSameHistory, type History } from './rules/window.ts';
import { begin, type Begun } from './together.ts';

export type Known = { readonly banks: KnownBanks; readonly shares: KnownShares; readonly pages: KnownPages };

export type Found = Behind & {
  readonly facts: BankFacts;
  /** The newest postings. */
  begun(): Promise<Begun>;
};

type Wish = {
  readonly user: KidOf<'user'>;
  readonly wanted: number;
  /** There is a page that may do, so that postings are not asked for yet. */
  readonly hasPage: boolean;
};

const nothingBegun: Promise<Begun | undefined> = Promise.resolve(undefined);

/** Throws where the resident may not be seen. */
export async function findBehind(
  db: Db,
  door: ManagerDoor,
  known: Known,
  { user, wanted, hasPage }: Wish,
): Promise<Found> {
  const { scope, tenant } = door;
  const { bankId } = user;
  const now = door.now();
  const historyAt = ({ open_period, retention }: Expected): History =>
    historyOf(user, open_period, { tenantDays: Number(retention ?? 0), managerDays: scope.retentionDays, now });
  const ask = (history: History) =>
    Promise.all([known.shares.of(db, scope, history), hasPage ? nothingBegun : begin(db, history, wanted)]);
  const looked = findHead(db, scope, user);
  const expected = known.banks.expected(scope, bankId);
  const early = expected === undefined ? undefined : ask(historyAt(expected));
  early?.catch(() => {});
  const head = admit(await looked, reachOf(scope.grants, bankId), scope.retentionDays, now);
  const history = historyAt(head);
  const asEarly = expected !== undefined && isSameHistory(historyAt(expected), history) ? early : undefined;
  const [[summed, begun], facts] = await Promise.all([
    asEarly ?? ask(history),
    known.banks.facts(db, scope, { bankId, head, timeZone: tenant.timeZone }),
  ]);
  const shares = await summed.upTo(head.next_posting_id);
  return { head, history, shares, facts, begun: async () => begun ?? begin(db, history, wanted) };
}
