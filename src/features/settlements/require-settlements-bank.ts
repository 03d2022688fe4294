// Finds the bank and the settlement period of a request.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { Problem } from '../../lib/problem.ts';
import { requireCoveredBank, type WholeGrantedBank } from '../../permissions/coverage.ts';
import { findAccountBankState, type AccountBankState } from '../account/queries/account-bank.ts';
import { requireWholeGrant } from '../places/require-place.ts';
import { findClosedPeriod, type StoredPeriod } from './queries/settlement-periods.ts';

type SettlementsBank = { readonly bank: WholeGrantedBank; readonly bankState: AccountBankState };

/** Throws 404 if the bank does not exist or is not visible, and 403 if the grants cover only some of its locations. */
export async function requireSettlementsBank(
  db: Db,
  { scope, now }: ManagerContext,
  bankId: number,
): Promise<SettlementsBank> {
  const bank = await requireWholeGrant(db, requireCoveredBank(scope, { bankId }));
  const bankState = await findAccountBankState(db, bank, now);
  if (bankState === undefined) throw new Problem('not-found');
  return { bank, bankState };
}

/** The period by the number that clients use: the open period is 0. Throws 404 if there is no such period. */
export async function getSettlementPeriod(
  db: Db,
  { bank, bankState }: SettlementsBank,
  periodNumber: number,
): Promise<StoredPeriod> {
  const period = periodNumber === 0 ? toOpenPeriod(bankState) : await findClosedPeriod(db, bank, periodNumber);
  if (period === undefined) throw new Problem('not-found');
  return period;
}

export const toOpenPeriod = ({ open_period, opened_at }: AccountBankState): StoredPeriod => ({
  period: open_period,
  fromAt: opened_at,
  throughAt: null,
  closedAt: null,
  chain: null,
});
