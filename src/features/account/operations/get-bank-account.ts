// GetBankAccount: one page of an account. State, totals and rows are read in one snapshot, so they agree.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Pagination } from '../../../http/schemas/list-schemas.ts';
import { VariantResult, type JsonResult } from '../../../http/representations/results.ts';
import { formatBankKid, type KidOf } from '../../../lib/kid.ts';
import type { BankDisplayCache } from '../process/bank-display-cache.ts';
import { groupIntoAccountDocuments, toAccountEntry } from '../answers.ts';
import { listPostingPage, type PostingRow } from '../queries/posting-page.ts';
import { listPartialSums } from '../queries/posting-sums.ts';
import type { ResolvedSelection } from '../queries/selected-postings.ts';
import { resolveSelection, resolveWithoutBank, type ResolvedAccount } from '../read-selection.ts';
import { toAccountReadError } from '../rules/account-problems.ts';
import {
  defaultDayOf,
  parseAccountSelection,
  type AccountSelection,
  type AccountSelectionQuery,
} from '../rules/account-selection.ts';
import type { BankDisplay } from '../rules/bank-display.ts';
import { computeRevision } from '../rules/revision.ts';
import { addPartialSums, type PostingSums } from '../rules/rollups.ts';
import { toCurrencyTotal } from '../answers.ts';
import type { AccountPage } from '../schemas.ts';

type GetBankAccountInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: AccountSelectionQuery & { readonly Offset: number; readonly Limit: number };
};

type GetBankAccountDependencies = { readonly bankDisplayCache: BankDisplayCache };

export async function getBankAccount(
  context: ManagerContext,
  { bankKid: { bankId }, query }: GetBankAccountInput,
  { bankDisplayCache }: GetBankAccountDependencies,
): Promise<JsonResult<AccountPage>> {
  const { scope, tenant, now } = context;
  const selection = parseAccountSelection(scope, { bankId, query, tenant, now });
  const range = { offset: query.Offset, limit: query.Limit };
  const page = await context
    .read((db) => readAccountPage(db, context, { selection, range, bankDisplayCache }))
    .catch((error: unknown) => {
      throw toAccountReadError(error, selection);
    });
  const answer = toAccountPage(page, selection, range);
  const defaultDay = defaultDayOf(query, selection);
  return defaultDay === undefined ? answer : new VariantResult(answer, defaultDay);
}

type AccountPageData = ResolvedAccount & {
  readonly sums: PostingSums;
  readonly rows: readonly PostingRow[];
  readonly bankDisplay: BankDisplay;
};

type ReadAccountPageInput = GetBankAccountDependencies & {
  readonly selection: AccountSelection;
  readonly range: Pagination;
};

async function readAccountPage(
  db: Db,
  { scope, language, now }: ManagerContext,
  { selection, range, bankDisplayCache }: ReadAccountPageInput,
): Promise<AccountPageData> {
  // A selection that does not depend on the bank is read in the same round trip as the bank's state.
  const resolvedEarly = resolveWithoutBank(selection);
  const earlyRead = resolvedEarly === undefined ? undefined : readSumsAndRows(db, resolvedEarly, range);
  earlyRead?.catch(() => {});
  const account = await resolveSelection(db, selection, scope, now);
  const { sums, rows } = await (earlyRead ?? readSumsAndRows(db, account.resolved, range));
  // Read after the sums: requests share this read, and must not wait for the sums of another request.
  const bankDisplay = await bankDisplayCache.get(db, selection.bank, account.bankState, language);
  return { ...account, sums, rows, bankDisplay };
}

async function readSumsAndRows(db: Db, resolved: ResolvedSelection, range: Pagination) {
  const [partialSums, rows] = await Promise.all([listPartialSums(db, resolved), listPostingPage(db, resolved, range)]);
  return { sums: addPartialSums(partialSums), rows };
}

function toAccountPage(
  { bankState, identityVisibility, displayState, sums, rows, bankDisplay }: AccountPageData,
  { bank, timeZone, days, period }: AccountSelection,
  { offset, limit }: Pagination,
): AccountPage {
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
    offset,
    limit,
    totalCount: sums.count,
    hasMore: offset + items.length < sums.count,
    totals: sums.totals.map(toCurrencyTotal),
    periods,
    choices,
    items,
    documents: groupIntoAccountDocuments(items, rows),
  };
}
