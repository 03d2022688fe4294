// What stands behind a page of receipts: whether the resident may be seen, the bank as it is, and what is asked of the
// history beside. In most cases the bank is as the last read saw it, and one turn to the database is all it takes.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { KidOf } from '../../lib/kid.ts';
import { reachOf } from '../../permissions/needs.ts';
import type { BankFacts, Expected, KnownBanks } from './known-banks.ts';
import { findHead, type Head } from './queries/head.ts';
import { admit } from './rules/residents.ts';
import { historyOf, isSameHistory, type History } from './rules/window.ts';

export type Behind = {
  readonly head: Head;
  readonly history: History;
  readonly facts: BankFacts;
};

/** Answers what `ask` finds in the history, too. Throws where the resident may not be seen. */
export async function findBehind<T>(
  db: Db,
  door: ManagerDoor,
  banks: KnownBanks,
  { user, ask }: { readonly user: KidOf<'user'>; ask(history: History): Promise<T> },
): Promise<Behind & { readonly asked: T }> {
  const { scope, tenant } = door;
  const { bankId } = user;
  const now = door.now();
  const historyAt = ({ open_period, retention }: Expected): History =>
    historyOf(user, open_period, { tenantDays: Number(retention ?? 0), managerDays: scope.retentionDays, now });
  const looked = findHead(db, scope, user);
  const expected = banks.expected(scope, bankId);
  const early = expected === undefined ? undefined : ask(historyAt(expected));
  early?.catch(() => {});
  const head = admit(await looked, reachOf(scope.grants, bankId), scope.retentionDays, now);
  const history = historyAt(head);
  const asEarly = expected !== undefined && isSameHistory(historyAt(expected), history) ? early : undefined;
  const [asked, facts] = await Promise.all([
    asEarly ?? ask(history),
    banks.facts(db, scope, { bankId, head, timeZone: tenant.timeZone }),
  ]);
  return { head, history, facts, asked };
}
