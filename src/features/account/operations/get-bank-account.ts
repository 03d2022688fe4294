// GetBankAccount: one page of an account. State, totals and rows are read in one snapshot, so they agree.

import type { Static } from 'typebox';
import type { PostingPosition } from '../queries/postings-after.ts';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { toPage, type PageRequest } from '../../../lib/values/paging.ts';
import { formatBankKid, type KidOf } from '../../../lib/kid.ts';
import type { BankDisplayCache } from '../process/bank-display-cache.ts';
import { groupIntoAccountDocuments, toAccountEntry } from '../answers.ts';
import { listPostingPage, type ListedPostingRow } from '../queries/posting-page.ts';
import { listPartialSums } from '../queries/posting-sums.ts';
import type { ResolvedSelection } from '../queries/selected-postings.ts';
import { resolveSelection, resolveWithoutBank, type ResolvedAccount } from '../read-selection.ts';
import { toAccountReadError, parseAccountSelection, type AccountSelection } from '../rules/account-selection.ts';
import type { BankDisplay } from '../rules/bank-display.ts';
import { computeRevision } from '../rules/revision.ts';
import { addPartialSums, type PostingSums } from '../rules/rollups.ts';
import { toCurrencyTotal } from '../answers.ts';
import type { AccountPage, AccountQuery } from '../schemas.ts';

/** What the first page has decided for all later ones: the id of the next posting, the days, and the stored period. */
type Decided = {
  readonly nextPostingId: number;
  readonly from: string | null;
  readonly through: string | null;
  readonly storedPeriod: number | null;
};

/** A cursor has the values of the row, and then those of what was decided, in this order. */
type AccountPosition = readonly [
  ...row: [recordedAt: number, locationId: number, unitId: number, postingId: number],
  ...decided: [nextPostingId: number, from: string | null, through: string | null, storedPeriod: number | null],
];

type ReadPosition = { readonly row: PostingPosition['after']; readonly decided: Decided };

function readPosition(position: AccountPosition | undefined): ReadPosition | undefined {
  if (position === undefined) return undefined;
  const [recorded_at, location_id, unit_id, posting_id, nextPostingId, from, through, storedPeriod] = position;
  return {
    row: { recorded_at, location_id, unit_id, posting_id },
    decided: { nextPostingId, from, through, storedPeriod },
  };
}

const toPosition = (
  { recorded_at, location_id, unit_id, posting_id }: PostingPosition['after'],
  { nextPostingId, from, through, storedPeriod }: Decided,
): AccountPosition => [recorded_at, location_id, unit_id, posting_id, nextPostingId, from, through, storedPeriod];

type GetBankAccountDependencies = { readonly bankDisplayCache: BankDisplayCache };

export async function getBankAccount(
  context: ManagerContext,
  { bankKid: { bankId }, query }: { readonly bankKid: KidOf<'bank'>; readonly query: Static<typeof AccountQuery> },
  { bankDisplayCache }: GetBankAccountDependencies,
): Promise<AccountPage> {
  const { scope, tenant, now } = context;
  const { Cursor: cursor, Offset: offset, Limit: limit } = query;
  const pageQuery = { offset, limit, ...(cursor === undefined ? {} : { cursor }) };
  const request = await openPage<AccountPosition>(context, pageQuery, 'Cursor').catch((error: unknown) => {
    throw toAccountReadError(error, { period: query.Period });
  });
  const { from, through } = readPosition(request.after)?.decided ?? {};
  const days = typeof from === 'string' && typeof through === 'string' ? { From: from, Through: through } : {};
  const selection = parseAccountSelection(scope, { bankId, query: { ...query, ...days }, tenant, now });
  const page = await context
    .read((db) => readAccountPage(db, context, { selection, request, bankDisplayCache }))
    .catch((error: unknown) => {
      throw toAccountReadError(error, selection);
    });
  return toAccountPage(page, selection, request);
}

type AccountPageData = ResolvedAccount & {
  readonly sums: PostingSums;
  readonly rows: readonly ListedPostingRow[];
  readonly bankDisplay: BankDisplay;
};

type ReadAccountPageInput = GetBankAccountDependencies & {
  readonly selection: AccountSelection;
  readonly request: PageRequest<AccountPosition>;
};

async function readAccountPage(
  db: Db,
  context: ManagerContext,
  { selection, request, bankDisplayCache }: ReadAccountPageInput,
): Promise<AccountPageData> {
  const { scope, now } = context;
  // A selection that does not depend on the bank is read in the same round trip as the bank's state.
  const resolvedEarly = resolveWithoutBank(selection);
  const earlyRead = resolvedEarly === undefined ? undefined : readSumsAndRows(db, resolvedEarly, request);
  earlyRead?.catch(() => {});
  const account = await resolveSelection(
    db,
    selection,
    scope,
    now,
    readPosition(request.after)?.decided.storedPeriod ?? undefined,
  );
  const { sums, rows } = await (earlyRead ?? readSumsAndRows(db, account.resolved, request));
  // Read after the sums: requests share this read, and must not wait for the sums of another request.
  const bankDisplay = await bankDisplayCache.get(db, selection.bank, account.bankState, context);
  return { ...account, sums, rows, bankDisplay };
}

async function readSumsAndRows(
  db: Db,
  resolved: ResolvedSelection,
  { after, offset, limit }: PageRequest<AccountPosition>,
) {
  const position = readPosition(after);
  const slice = {
    position: position && { after: position.row, nextPostingId: position.decided.nextPostingId },
    offset,
    limit: limit + 1,
  };
  const [partialSums, rows] = await Promise.all([listPartialSums(db, resolved), listPostingPage(db, resolved, slice)]);
  return { sums: addPartialSums(partialSums), rows };
}

/** Later pages keep what the first page has decided. */
const createPositionOf = (
  { bankState, resolved }: AccountPageData,
  { days }: AccountSelection,
  { after }: PageRequest<AccountPosition>,
) => {
  const storedPeriod = 'storedPeriod' in resolved.time ? resolved.time.storedPeriod : null;
  const decided = {
    nextPostingId: readPosition(after)?.decided.nextPostingId ?? bankState.next_posting_id,
    from: days?.from ?? null,
    through: days?.through ?? null,
    storedPeriod,
  };
  return (row: ListedPostingRow): AccountPosition => toPosition(row, decided);
};

function toAccountPage(
  data: AccountPageData,
  selection: AccountSelection,
  request: PageRequest<AccountPosition>,
): AccountPage {
  const { bankState, identityVisibility, displayState, sums, bankDisplay } = data;
  const { bank, timeZone, days, period } = selection;
  const { items: rows, ...page } = toPage(data.rows, request, createPositionOf(data, selection, request));
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const { locationNames, unitNames, choices, periods } = bankDisplay;
  const openPeriod = bankState.open_period;
  const items = rows.map((row) =>
    toAccountEntry(row, { bankKid, openPeriod, identityVisibility, locationNames, unitNames }),
  );
  return {
    bankKid,
    timeZone,
    from: days?.from ?? null,
    through: days?.through ?? null,
    period: period ?? null,
    revision: computeRevision(sums, displayState),
    ...page,
    totalCount: sums.count,
    totals: sums.totals.map(toCurrencyTotal),
    periods,
    choices,
    items,
    documents: groupIntoAccountDocuments(items, rows),
  };
}
