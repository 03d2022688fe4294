// Reading receipts: everything comes from one snapshot, so that revision, receipts and balances always agree.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { reachOf } from '../../permissions/needs.ts';
import { clocksOf } from './clocks.ts';
import type { KnownShares } from './known-shares.ts';
import { findHead, readLocations, type Location } from './queries/head.ts';
import { readLater } from './queries/later.ts';
import { readWords, type Words } from './queries/postings.ts';
import { receiptOfCalculated, type Receipt } from './rules/grouping.ts';
import { admit } from './rules/residents.ts';
import { receiptsRevision, type Behind } from './rules/revision.ts';
import { balancesOf, checkBounds, shownOf } from './rules/shares.ts';
import { historyOf, pageReceipts, periodCount, type History } from './rules/window.ts';
import { shownReceipt, type Showing } from './schemas.ts';
import { calculatedOf, readSettling, vatRateOf } from './settling.ts';
import { begin, putTogether, type Begun } from './together.ts';

export type Asked = { readonly user: KidOf<'user'>; readonly offset: number; readonly revision: string | undefined };

const maxDocuments = 1000;

export async function readReceipts(db: Db, door: ManagerDoor, known: KnownShares, asked: Asked) {
  const { offset, revision: expected } = asked;
  const wanted = offset + pageReceipts;
  const before = await readBefore(db, door, known, asked.user, wanted);
  const { behind, history, locations } = before;
  const revision = receiptsRevision(behind);
  if (expected !== undefined && expected !== revision) throw new Problem('receipts-changed');
  const clockOf = clocksOf(locations, behind.timeZone);
  const calculated = behind.calculated.map((each) => receiptOfCalculated(each, clockOf(0)));
  const receipts = await putTogether(db, history, before.begun, { wanted, calculated, clockOf });
  const page = receipts.slice(offset, wanted);
  checkDocuments(page);
  const [words, later] = await Promise.all([wordsOf(db, history, page), readLater(db, history, instantsOf(page))]);
  const showing: Showing = {
    bankKid: formatKid({ ...asked.user, type: 'bank' }),
    openPeriod: behind.openPeriod,
    vatRate: behind.vatRate,
    locations,
    words,
    clockOf,
    balanceAt: (currency, instant) => (behind.balances.get(currency) ?? 0n) - later(currency, instant),
    language: door.language,
  };
  return {
    userKid: behind.userKid,
    revision,
    items: page.map((receipt) => shownReceipt(receipt, showing)),
    nextOffset: receipts.length > wanted ? wanted : null,
    periodCount,
  };
}

type Before = {
  readonly history: History;
  readonly behind: Behind;
  readonly locations: ReadonlyMap<number, Location>;
  readonly begun: Begun;
};

/** Whether the resident can be seen, and all that has to be known before receipts are put together. */
async function readBefore(
  db: Db,
  door: ManagerDoor,
  known: KnownShares,
  user: Asked['user'],
  wanted: number,
): Promise<Before> {
  const { scope, tenant } = door;
  const { retentionDays: managerDays } = scope;
  const now = door.now();
  const head = admit(await findHead(db, scope, user), reachOf(scope.grants, user.bankId), managerDays, now);
  const history = historyOf(user, head.open_period, { tenantDays: Number(head.retention ?? 0), managerDays, now });
  const [shares, begun, locations, settling] = await Promise.all([
    known.of(db, scope, head.version, history),
    begin(db, history, wanted),
    readLocations(db, user.bankId),
    readSettling(db, head, history),
  ]);
  const shown = shownOf(shares);
  checkBounds(shown);
  const behind: Behind = {
    userKid: formatKid(user),
    placesVersion: head.places_version,
    timeZone: tenant.timeZone,
    openPeriod: head.open_period,
    vatRate: vatRateOf(head),
    shown,
    balances: balancesOf(shares),
    calculated: calculatedOf(shares, settling, history),
  };
  return { history, behind, locations, begun };
}

function checkDocuments(page: readonly Receipt[]): void {
  if (page.some(({ documents }) => documents > maxDocuments))
    throw new Problem('receipts-too-large', { detail: `A receipt holds more than ${maxDocuments} documents.` });
}

const instantsOf = (page: readonly Receipt[]): number[] => page.map(({ lastAt }) => lastAt);

/** What the page's postings say: all lie in one span of time, and little else does. */
async function wordsOf(db: Db, history: History, page: readonly Receipt[]): Promise<ReadonlyMap<number, Words>> {
  const ends = page.flatMap(({ postings }) => (postings.length === 0 ? [] : [postings[0], postings.at(-1)]));
  const instants = ends.flatMap((posting) => posting?.recorded_at ?? []);
  if (instants.length === 0) return new Map();
  return readWords(db, history, { from: Math.min(...instants), through: Math.max(...instants) });
}
