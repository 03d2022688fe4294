// Reading receipts: everything comes from one snapshot, so that revision, receipts and balances always agree.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { findBehind, type Found, type Known } from './behind.ts';
import { PreparedPage } from './known-pages.ts';
import { receiptOfCalculated, type Receipt } from './rules/grouping.ts';
import { laterOf } from './rules/later.ts';
import { receiptsRevision, type Behind } from './rules/revision.ts';
import { balancesOf, checkBounds, shownOf } from './rules/shares.ts';
import { pageReceipts, periodCount } from './rules/window.ts';
import { shownReceipt, type Showing } from './schemas.ts';
import { calculatedOf, settlingOf, vatRateOf } from './settling.ts';
import { putTogether } from './together.ts';

export type Asked = { readonly user: KidOf<'user'>; readonly offset: number; readonly revision: string | undefined };

const maxDocuments = 1000;

export async function readReceipts(db: Db, door: ManagerDoor, known: Known, asked: Asked): Promise<PreparedPage> {
  const { user, offset, revision } = asked;
  const isFirst = offset === 0;
  const wanted = offset + pageReceipts;
  const found = await findBehind(db, door, known, { user, wanted, hasPage: isFirst && known.pages.has(door, user) });
  const page = isFirst ? known.pages.find(door, user, found) : undefined;
  if (page !== undefined) {
    demandRevision(revision, page.revision);
    return page;
  }
  const made = await makePage(db, door, found, asked);
  if (isFirst) known.pages.keep(door, user, found, made);
  return made;
}

async function makePage(db: Db, door: ManagerDoor, found: Found, asked: Asked): Promise<PreparedPage> {
  const { user, offset } = asked;
  const wanted = offset + pageReceipts;
  const { facts, history } = found;
  const behind = behindOf(door, user, found);
  const revision = receiptsRevision(behind);
  demandRevision(asked.revision, revision);
  const { clockOf } = facts;
  const calculated = behind.calculated.map((each) => receiptOfCalculated(each, clockOf(0)));
  const begun = await found.begun();
  const { receipts, postings } = await putTogether(db, history, begun, { wanted, calculated, clockOf });
  const page = receipts.slice(offset, wanted);
  checkDocuments(page);
  const later = laterOf(postings);
  const showing: Showing = {
    bankKid: formatKid({ ...user, type: 'bank' }),
    openPeriod: behind.openPeriod,
    vatRate: behind.vatRate,
    facts,
    balanceAt: (currency, instant) => (behind.balances.get(currency) ?? 0n) - later(currency, instant),
    language: door.language,
  };
  const answer = {
    userKid: behind.userKid,
    revision,
    items: page.map((receipt) => shownReceipt(receipt, showing)),
    nextOffset: receipts.length > wanted ? wanted : null,
    periodCount,
  };
  return new PreparedPage(JSON.stringify(answer), revision);
}

function behindOf({ tenant }: ManagerDoor, user: Asked['user'], { head, history, shares, facts }: Found): Behind {
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
