// GetBankAccount: one page of an account. State, totals and rows are read in one snapshot, so they agree.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { VariantResult } from '../../../http/send-result.ts';
import { formatBankKid, type KidOf } from '../../../lib/kid.ts';
import type { BankDisplayCache } from '../bank-display-cache.ts';
import { groupIntoDocuments, toEntry } from '../entry.ts';
import { listPostingPage, type PageRange, type PostingRow } from '../queries/posting-page.ts';
import { listPartialSums } from '../queries/posting-sums.ts';
import type { ResolvedSelection } from '../queries/selected-postings.ts';
import { resolveSelection, resolveWithoutBank, type ResolvedAccount } from '../resolve-selection.ts';
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
import { toTotal, type AccountAnswer } from '../schemas.ts';

type GetBankAccountInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: AccountSelectionQuery & { readonly Offset: number; readonly Limit: number };
};

type GetBankAccountDependencies = { readonly bankDisplayCache: BankDisplayCache };

export async function getBankAccount(
  context: ManagerContext,
  { bankKid: { bankId }, query }: GetBankAccountInput,
  { bankDisplayCache }: GetBankAccountDependencies,
): Promise<AccountAnswer | VariantResult> {
  const { scope, tenant, now } = context;
  const selection = parseAccountSelection(scope, { bankId, query, tenant, now });
  const range = { offset: query.Offset, limit: query.Limit };
  const page = await context
    .read((db) => readAccountPage(db, context, { selection, range, bankDisplayCache }))
    .catch((error: unknown) => {
      throw toAccountReadError(error, selection);
    });
  const answer = toAccountAnswer(page, selection, range);
  const defaultDay = defaultDayOf(query, selection);
  return defaultDay === undefined ? answer : new VariantResult(answer, defaultDay);
}

type AccountPage = ResolvedAccount & {
  readonly sums: PostingSums;
  readonly rows: readonly PostingRow[];
  readonly bankDisplay: BankDisplay;
};

type ReadAccountPageInput = GetBankAccountDependencies & {
  readonly selection: AccountSelection;
  readonly range: PageRange;
};

async function readAccountPage(
  db: Db,
  { scope, language, now }: ManagerContext,
  { selection, range, bankDisplayCache }: ReadAccountPageInput,
): Promise<AccountPage> {
  // A selection that does not depend on the bank is read in the same round trip as the bank's state.
  const resolvedEarly = resolveWithoutBank(selection);
  const earlyRead = resolvedEarly === undefined ? undefined : readSumsAndRows(db, resolvedEarly, range);
  earlyRead?.catch(() => {});
  const account = await resolveSelection(db, selection, scope, now);
  const { sums, rows } = await (earlyRead ?? readSumsAndRows(db, account.resolved, range));
  // Afterwards, since requests share this read: none of them waits for the sums of another.
  const bankDisplay = await bankDisplayCache.get(db, selection.bank, account.bankState, language);
  return { ...account, sums, rows, bankDisplay };
}

async function readSumsAndRows(db: Db, resolved: ResolvedSelection, range: PageRange) {
  const [partialSums, rows] = await Promise.all([listPartialSums(db, resolved), listPostingPage(db, resolved, range)]);
  return { sums: addPartialSums(partialSums), rows };
}

function toAccountAnswer(
  { bankState, identityVisibility, displayState, sums, rows, bankDisplay }: AccountPage,
  { bank, timeZone, days, period }: AccountSelection,
  { offset, limit }: PageRange,
): AccountAnswer {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const { locationNames, unitNames, choices, periods } = bankDisplay;
  const openPeriod = bankState.open_period;
  const items = rows.map((row) => toEntry(row, { bankKid, openPeriod, identityVisibility, locationNames, unitNames }));
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
    totals: sums.totals.map(toTotal),
    periods,
    choices,
    items,
    documents: groupIntoDocuments(items, rows),
  };
}
