// What stands behind a page of receipts: whether the resident may be seen, the bank as it is, and what is asked of the
// history beside. In most cases the bank is as the last read saw it, and one turn to the database is all it takes.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import type { KidOf } from '../../lib/kid.ts';
import { coverageOf } from '../../permissions/coverage.ts';
import type { ReceiptsBankData, ExpectedBankState, BankCache } from './bank-cache.ts';
import { findBankAndResident, type BankAndResidentRow } from './queries/bank-and-resident.ts';
import { requireVisibleResident } from '../residents/rules/resident-visibility.ts';
import { createResidentHistory, isSameResidentHistory, type ResidentHistory } from './rules/resident-history.ts';

export type PageContext = {
  readonly bankState: BankAndResidentRow;
  readonly history: ResidentHistory;
  readonly bankData: ReceiptsBankData;
};

/** Answers what `ask` finds in the history, too. Throws where the resident may not be seen. */
export async function readPageContext<T>(
  db: Db,
  context: ManagerContext,
  bankCache: BankCache,
  { user, ask: readHistory }: { readonly user: KidOf<'user'>; ask(history: ResidentHistory): Promise<T> },
): Promise<PageContext & { readonly asked: T }> {
  const { scope, tenant } = context;
  const { bankId } = user;
  const now = context.now;
  const historyAt = ({ open_period, retention }: ExpectedBankState): ResidentHistory =>
    createResidentHistory(user, open_period, {
      tenantDays: Number(retention ?? 0),
      managerDays: scope.retentionDays,
      now,
    });
  const foundState = findBankAndResident(db, scope, user);
  const expectedState = bankCache.findLastState(scope, bankId);
  const earlyRead = expectedState === undefined ? undefined : readHistory(historyAt(expectedState));
  earlyRead?.catch(() => {});
  const head = requireVisibleResident(await foundState, coverageOf(scope.grants, bankId), scope.retentionDays, now);
  const history = historyAt(head);
  const validEarlyRead =
    expectedState !== undefined && isSameResidentHistory(historyAt(expectedState), history) ? earlyRead : undefined;
  const [historyRead, facts] = await Promise.all([
    validEarlyRead ?? readHistory(history),
    bankCache.readBankData(db, scope, { bankId, head, timeZone: tenant.timeZone }),
  ]);
  return { bankState: head, history, bankData: facts, asked: historyRead };
}
