// Reading receipts: everything comes from one snapshot, so that revision, receipts and balances always agree.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { findBehind, type Behind } from './behind.ts';
import type { Habits } from './habits.ts';
import type { KnownBanks } from './known-banks.ts';
import { isMadeOf, PreparedPage, type KnownPages } from './known-pages.ts';
import { readShares, readStamp } from './queries/shares.ts';
import { receiptOfCalculated, type Receipt } from './rules/grouping.ts';
import { laterOf } from './rules/later.ts';
import { receiptsRevision, type View } from './rules/revision.ts';
import { balancesOf, checkBounds, sharesOf, shownOf, stampOf, type HistoryShare } from './rules/shares.ts';
import { pageReceipts, periodCount, type History } from './rules/window.ts';
import { shownReceipt, type Showing } from './schemas.ts';
import { calculatedOf, settlingOf, vatRateOf } from './settling.ts';
import { begin, putTogether, type Begun } from './together.ts';

export type Known = { readonly banks: KnownBanks; readonly pages: KnownPages; readonly habits: Habits };

export type Asked = { readonly user: KidOf<'user'>; readonly offset: number; readonly revision: string | undefined };

const maxDocuments = 1000;

export async function readReceipts(db: Db, door: ManagerDoor, known: Known, asked: Asked): Promise<PreparedPage> {
  const { user, offset, revision } = asked;
  const isFirst = offset === 0;
  const readSums = async (history: History): Promise<Sums> => {
    const expected = known.habits.expected(door.scope, user.bankId, offset + pageReceipts);
    const [stored, begun] = await Promise.all([readShares(db, history), begin(db, history, expected)]);
    return { shares: sharesOf(stored, history.cutoff), begun };
  };
  const make = async (behind: Behind, sums: Sums): Promise<PreparedPage> => {
    const page = await makePage(db, door, known.habits, { ...behind, ...sums, ...asked });
    if (isFirst) known.pages.keep(door, user, { behind, stamp: stampOf(sums.shares), page });
    return page;
  };
  const kept = isFirst ? known.pages.find(door, user) : undefined;
  if (kept === undefined) {
    const { asked: sums, ...behind } = await findBehind(db, door, known.banks, { user, ask: readSums });
    return make(behind, sums);
  }
  const ask = (): Promise<string> => readStamp(db, user);
  const { asked: stamp, ...behind } = await findBehind(db, door, known.banks, { user, ask });
  if (!isMadeOf(kept, behind, stamp)) return make(behind, await readSums(behind.history));
  demandRevision(revision, kept.page.revision);
  return kept.page;
}

type Sums = { readonly shares: readonly HistoryShare[]; readonly begun: Begun };

async function makePage(
  db: Db,
  door: ManagerDoor,
  habits: Habits,
  found: Behind & Sums & Asked,
): Promise<PreparedPage> {
  const { user, offset, facts, history, begun } = found;
  const wanted = offset + pageReceipts;
  const view = viewOf(door, user, found);
  const revision = receiptsRevision(view);
  demandRevision(found.revision, revision);
  const { clockOf } = facts;
  const calculated = view.calculated.map((each) => receiptOfCalculated(each, clockOf(0)));
  const { receipts, postings } = await putTogether(db, history, begun, { wanted, calculated, clockOf });
  if (receipts.length > wanted) habits.learn(door.scope, user.bankId, { receipts: wanted, postings: postings.length });
  const page = receipts.slice(offset, wanted);
  checkDocuments(page);
  const later = laterOf(postings);
  const showing: Showing = {
    bankKid: formatKid({ ...user, type: 'bank' }),
    openPeriod: view.openPeriod,
    vatRate: view.vatRate,
    facts,
    balanceAt: (currency, instant) => (view.balances.get(currency) ?? 0n) - later(currency, instant),
    language: door.language,
  };
  const answer = {
    userKid: view.userKid,
    revision,
    items: page.map((receipt) => shownReceipt(receipt, showing)),
    nextOffset: receipts.length > wanted ? wanted : null,
    periodCount,
  };
  return new PreparedPage(JSON.stringify(answer), revision);
}

function viewOf({ tenant }: ManagerDoor, user: Asked['user'], { head, history, shares, facts }: Behind & Sums): View {
  const shown = shownOf(shares);
  checkBounds(shown);
  return {
    userKid: formatKid(user),
    placesVersion: head.places_version,
    timeZone: tenant.timeZone,
    openPeriod: head.open_period,
    vatRate: vatRateOf(head),
    shown,
    balances: balancesOf(shares),
    calculated: calculatedOf(shares, settlingOf(head, facts.ends), history),
  };
}

function demandRevision(expected: string | undefined, revision: string): void {
  if (expected !== undefined && expected !== revision) throw new Problem('receipts-changed');
}

function checkDocuments(page: readonly Receipt[]): void {
  if (page.some(({ documents }) => documents > maxDocuments))
    throw new Problem('receipts-too-large', { detail: `A receipt holds more than ${maxDocuments} documents.` });
}
