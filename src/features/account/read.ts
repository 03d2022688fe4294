// Reading the account: head, sums and page come from one snapshot, so revision, totals and rows always agree.

import type { Db } from '../../database/dialect.ts';
import { StorageError } from '../../database/errors.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { BankViews } from './bank-view.ts';
import { pageStart } from './page-start.ts';
import { findPeriodSpan, readHead, type Head } from './queries/bank.ts';
import { listPostings, type PostingRow } from './queries/page.ts';
import type { Resolved } from './queries/selected.ts';
import { readShares } from './queries/sums.ts';
import { revisionOf } from './rules/fingerprint.ts';
import { effectiveRetentionDays, identityCutoff, viewOf } from './rules/identity.ts';
import { addShares, type SetSums, type Share } from './rules/rollups.ts';
import { documentsOf, entryOf, totalOf } from './schemas.ts';
import { unseen, type Selection } from './selection.ts';

type Context = {
  readonly head: Head;
  readonly cutoff: number;
  readonly now: number;
  readonly resolved: Resolved;
  readonly view: string;
};

/** Runs an account read with its storage failures named as the account names them. */
export async function readAccount<T>(
  door: ManagerDoor,
  selection: Selection,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  try {
    return await door.read(work);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const byPeriod = selection.period !== undefined && error.failure === 'timeout';
    const code =
      error.failure === 'text-comparison'
        ? 'storage-text-comparison'
        : byPeriod
          ? 'periods-timeout'
          : 'storage-timeout';
    throw new Problem(code, { cause: error });
  }
}

export async function readRevision(db: Db, scope: Scope, selection: Selection, now: number): Promise<string> {
  const { context, sums } = await readSums(db, scope, selection, now, () => undefined);
  return revisionOf(sums, context.view);
}

export async function readPage(
  db: Db,
  door: ManagerDoor,
  selection: Selection,
  { offset, limit }: { offset: number; limit: number },
  views: BankViews,
) {
  const { scope, language } = door;
  const now = door.now();
  const readRows = async (resolved: Resolved): Promise<PostingRow[]> =>
    listPostings(db, resolved, { ...(await pageStart(db, resolved, offset)), limit });
  const { context, sums, beside: rows } = await readSums(db, scope, selection, now, readRows);
  const { head, cutoff } = context;
  const { locationNames, unitNames, choices, periods } = await views.of(db, scope, selection.bankId, head, language);
  const bankKid = `${scope.tenant}-B${selection.bankId}`;
  const items = rows.map((row) =>
    entryOf(row, { bankKid, openPeriod: head.open_period, cutoff, now, locationNames, unitNames }),
  );
  return {
    bankKid,
    timeZone: selection.timeZone,
    from: selection.days?.from ?? null,
    through: selection.days?.through ?? null,
    period: selection.period ?? null,
    revision: revisionOf(sums, context.view),
    offset,
    limit,
    totalCount: sums.count,
    hasMore: offset + items.length < sums.count,
    totals: sums.totals.map(totalOf),
    periods,
    choices,
    items,
    documents: documentsOf(items, rows),
  };
}

type Sums<T> = { readonly context: Context; readonly sums: SetSums; readonly beside: T };

/** Head and sums, and what else is read of the resolved selection, with as few turns as the selection allows. */
export async function readSums<T>(
  db: Db,
  scope: Scope,
  selection: Selection,
  now: number,
  beside: (resolved: Resolved) => Promise<T> | T,
): Promise<Sums<T>> {
  const both = (resolved: Resolved): Promise<[Share[], T]> => Promise.all([readShares(db, resolved), beside(resolved)]);
  // By dates and for everybody, nothing has to be known of the bank to begin with: one turn for all.
  const early =
    selection.interval === undefined || selection.userId !== undefined
      ? undefined
      : both(resolvedBy(selection, { interval: selection.interval }));
  early?.catch(() => {});
  const context = await resolve(db, scope, selection, now);
  const [shares, other] = await (early ?? both(context.resolved));
  return { context, sums: addShares(shares), beside: other };
}

const resolvedBy = (
  { bankId, place, kinds }: Selection,
  time: Resolved['time'],
  user?: Resolved['user'],
): Resolved => ({ bankId, place, kinds, time, user });

/** What a selection comes to in the bank as it stands. */
export async function resolve(db: Db, scope: Scope, selection: Selection, now: number): Promise<Context> {
  const { bankId, period, interval, userId } = selection;
  const head = await readHead(db, scope, bankId, now);
  if (head === undefined) throw unseen('missing-bank-read');
  const cutoff = identityCutoff(effectiveRetentionDays(Number(head.retention ?? 0), scope.retentionDays), now);
  const user =
    userId === undefined
      ? undefined
      : { userId, recordedFrom: userId === gdprUserId ? Number.POSITIVE_INFINITY : cutoff, now };
  const stored = storedPeriod(period ?? 0, head);
  const time = interval === undefined ? { storedPeriod: stored } : { interval };
  const bounds = interval ?? (await findPeriodSpan(db, bankId, stored)) ?? { from: 0, to: 0 };
  return {
    head,
    cutoff,
    now,
    resolved: resolvedBy(selection, time, user),
    view: [...versionsOf(head), viewOf(cutoff, bounds.from, bounds.to)].join('/'),
  };
}

/** What turns whenever something is shown otherwise of postings that are the same. */
const versionsOf = ({ open_period, places_version, expired, reversals }: Head): number[] => [
  open_period,
  places_version,
  expired,
  reversals,
];

/** 0 on the wire is the open period; its own number names nothing until it is closed. */
function storedPeriod(period: number, { open_period }: Head): number {
  if (period === 0) return open_period;
  return period === open_period ? -1 : period;
}
