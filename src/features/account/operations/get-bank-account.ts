// Reading the account: head, sums and page come from one snapshot, so revision, totals and rows always agree.

import type { Db } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { gdprUserId } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { BankDisplayCache } from '../bank-display-cache.ts';
import { findPageStart } from '../queries/page-start.ts';
import { findPeriodInterval, findAccountBankState, type AccountBankState } from '../queries/account-bank.ts';
import { listPostingPage, type PostingRow } from '../queries/posting-page.ts';
import type { ResolvedSelection } from '../queries/selected-postings.ts';
import { listPartialSums } from '../queries/posting-sums.ts';
import { computeRevision } from '../rules/fingerprint.ts';
import { chooseRetentionDays, computeIdentityCutoff, formatCutoffState } from '../../residents/rules/identity.ts';
import { addPartialSums, type PostingSums, type PartialSum } from '../rules/rollups.ts';
import { groupIntoDocuments, toEntry, toTotal } from '../schemas.ts';
import { createNotVisibleProblem, type AccountSelection } from '../rules/account-selection.ts';

type AccountReadState = {
  readonly head: AccountBankState;
  readonly identityCutoff: number;
  readonly now: number;
  readonly resolvedSelection: ResolvedSelection;
  readonly displayState: string;
};

/** Runs an account read with its storage failures named as the account names them. */
export async function readWithAccountProblems<T>(
  context: ManagerContext,
  selection: AccountSelection,
  readSnapshot: (db: Db) => Promise<T>,
): Promise<T> {
  try {
    return await context.read(readSnapshot);
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

export async function readAccountRevision(
  db: Db,
  scope: Scope,
  selection: AccountSelection,
  now: number,
): Promise<string> {
  const { state, sums } = await readAccountSums(db, scope, selection, now, () => undefined);
  return computeRevision(sums, state.displayState);
}

export async function readAccountPage(
  db: Db,
  context: ManagerContext,
  selection: AccountSelection,
  { offset, limit }: { offset: number; limit: number },
  bankDisplayCache: BankDisplayCache,
) {
  const { scope, language } = context;
  const now = context.now;
  const readRows = async (resolved: ResolvedSelection): Promise<PostingRow[]> =>
    listPostingPage(db, resolved, { ...(await findPageStart(db, resolved, offset)), limit });
  const { state, sums, rows } = await readAccountSums(db, scope, selection, now, readRows);
  const { head, identityCutoff } = state;
  const { locationNames, unitNames, choices, periods } = await bankDisplayCache.get(
    db,
    scope,
    selection.bankId,
    head,
    language,
  );
  const bankKid = `${scope.tenant}-B${selection.bankId}`;
  const items = rows.map((row) =>
    toEntry(row, { bankKid, openPeriod: head.open_period, identityCutoff, now, locationNames, unitNames }),
  );
  return {
    bankKid,
    timeZone: selection.timeZone,
    from: selection.days?.from ?? null,
    through: selection.days?.through ?? null,
    period: selection.period ?? null,
    revision: computeRevision(sums, state.displayState),
    offset,
    limit,
    totalCount: sums.count,
    hasMore: offset + items.length < sums.count,
    totals: sums.totals.map(toTotal),
    periods,
    choices,
    items,
    documents: groupIntoDocuments(items, rows),
  };
}

type AccountSums<T> = { readonly state: AccountReadState; readonly sums: PostingSums; readonly rows: T };

/** Head and sums, and what else is read of the resolved selection, with as few turns as the selection allows. */
export async function readAccountSums<T>(
  db: Db,
  scope: Scope,
  selection: AccountSelection,
  now: number,
  readRows: (resolved: ResolvedSelection) => Promise<T> | T,
): Promise<AccountSums<T>> {
  const readSumsAndRows = (resolved: ResolvedSelection): Promise<[PartialSum[], T]> =>
    Promise.all([listPartialSums(db, resolved), readRows(resolved)]);
  // By dates and for everybody, nothing has to be known of the bank to begin with: one turn for all.
  const earlyRead =
    selection.interval === undefined || selection.userId !== undefined
      ? undefined
      : readSumsAndRows(createResolvedSelection(selection, { interval: selection.interval }));
  earlyRead?.catch(() => {});
  const state = await resolveSelection(db, scope, selection, now);
  const [shares, other] = await (earlyRead ?? readSumsAndRows(state.resolvedSelection));
  return { state, sums: addPartialSums(shares), rows: other };
}

const createResolvedSelection = (
  { bankId, place, kinds }: AccountSelection,
  time: ResolvedSelection['time'],
  user?: ResolvedSelection['userFilter'],
): ResolvedSelection => ({ bankId, place, kinds, time, userFilter: user });

/** What a selection comes to in the bank as it stands. */
export async function resolveSelection(
  db: Db,
  scope: Scope,
  selection: AccountSelection,
  now: number,
): Promise<AccountReadState> {
  const { bankId, period, interval, userId } = selection;
  const head = await findAccountBankState(db, scope, bankId, now);
  if (head === undefined) throw createNotVisibleProblem('missing-bank-read');
  const cutoff = computeIdentityCutoff(chooseRetentionDays(Number(head.retention ?? 0), scope.retentionDays), now);
  const user =
    userId === undefined
      ? undefined
      : { userId, recordedFrom: userId === gdprUserId ? Number.POSITIVE_INFINITY : cutoff, now };
  const storedPeriodNumber = toStoredPeriod(period ?? 0, head);
  const time = interval === undefined ? { storedPeriod: storedPeriodNumber } : { interval };
  const bounds = interval ?? (await findPeriodInterval(db, bankId, storedPeriodNumber)) ?? { from: 0, to: 0 };
  return {
    head,
    identityCutoff: cutoff,
    now,
    resolvedSelection: createResolvedSelection(selection, time, user),
    displayState: [...listDisplayVersions(head), formatCutoffState(cutoff, bounds.from, bounds.to)].join('/'),
  };
}

/** What turns whenever something is shown otherwise of postings that are the same. */
const listDisplayVersions = ({ open_period, places_version, expired, reversals }: AccountBankState): number[] => [
  open_period,
  places_version,
  expired,
  reversals,
];

/** 0 on the wire is the open period; its own number names nothing until it is closed. */
function toStoredPeriod(period: number, { open_period }: AccountBankState): number {
  if (period === 0) return open_period;
  return period === open_period ? -1 : period;
}
