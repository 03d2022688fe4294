// Resolves a selection against the state of its bank: the settlement period, the identity cutoff and the resident's rows.

import type { Db } from '../../database/db.ts';
import type { Scope } from '../../permissions/scope.ts';
import { getIdentityVisibility, getSearchableFrom, type IdentityVisibility } from '../residents/rules/identity.ts';
import { findAccountBankState, findPeriodInterval, type AccountBankState } from './queries/account-bank.ts';
import type { ResolvedSelection } from './queries/selected-postings.ts';
import { createNotVisibleProblem, type AccountSelection } from './rules/account-selection.ts';
import { formatAccountDisplayState } from './rules/revision.ts';

export type ResolvedAccount = {
  readonly bankState: AccountBankState;
  readonly identityVisibility: IdentityVisibility;
  readonly resolved: ResolvedSelection;
  /** What the revision covers besides the postings. */
  readonly displayState: string;
};

/** A selection by date of all users depends on nothing in the database. Undefined for other selections. */
export const resolveWithoutBank = (selection: AccountSelection): ResolvedSelection | undefined =>
  selection.interval === undefined || selection.period !== undefined || selection.residentId !== undefined
    ? undefined
    : { ...selection, time: { interval: selection.interval }, residentFilter: undefined };

/** Throws 403 if the bank does not exist. A later page has the stored number of its first page's settlement period. */
export async function resolveSelection(
  db: Db,
  selection: AccountSelection,
  scope: Scope,
  now: number,
  periodOfFirstPage?: number,
): Promise<ResolvedAccount> {
  const bankState = await findAccountBankState(db, selection.bank, now);
  if (bankState === undefined) throw createNotVisibleProblem('missing-bank-read');
  const { interval, period, residentId } = selection;
  const identityVisibility = getIdentityVisibility(bankState.retention_setting, scope, now);
  const storedPeriod = periodOfFirstPage ?? toStoredPeriod(period ?? 0, bankState);
  const residentFilter =
    residentId === undefined
      ? undefined
      : { residentId, recordedFrom: getSearchableFrom(residentId, identityVisibility), now };
  const time =
    interval === undefined ? { storedPeriod } : period === undefined ? { interval } : { interval, storedPeriod };
  const shown = interval ?? (await findPeriodInterval(db, selection.bank, storedPeriod)) ?? { from: 0, to: 0 };
  return {
    bankState,
    identityVisibility,
    resolved: { ...selection, time, residentFilter },
    displayState: formatAccountDisplayState(bankState, identityVisibility.cutoff, shown),
  };
}

/** Clients know the open period as 0 only; its stored number selects nothing until it is closed. */
function toStoredPeriod(period: number, { open_period }: AccountBankState): number {
  if (period === 0) return open_period;
  return period === open_period ? -1 : period;
}
