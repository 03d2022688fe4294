// Reads the balances of residents, and formats their items.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { getIdentityVisibility } from '../residents/rules/identity.ts';
import { isWhole, type GrantedBank } from '../../permissions/coverage.ts';
import { findBalanceBank, listResidentSums } from './queries/resident-balances.ts';
import type { ResidentRow } from './queries/residents.ts';
import { addsCalculatedLines, createBalancesLookup } from './rules/balances.ts';
import { toResident } from './answers.ts';
import type { Resident } from './schemas.ts';

type ReadResidentsContext = Pick<ManagerContext, 'scope' | 'now'>;

/** The items in the order of the rows. */
export async function readResidents(
  db: Db,
  bank: GrantedBank,
  rows: readonly ResidentRow[],
  { scope, now }: ReadResidentsContext,
): Promise<Resident[]> {
  // Both come from the postings of the whole bank. GetUserReceipts refuses them as well.
  if (!isWhole(bank)) return rows.map((row) => toResident(bank, row, { balances: null, lastActivityAt: null }));
  const balanceBank = await findBalanceBank(db, bank);
  if (balanceBank === undefined)
    return rows.map((row) => toResident(bank, row, { balances: [], lastActivityAt: null }));
  const ids = rows.map(({ resident_id }) => resident_id);
  const sums = await listResidentSums(db, bank, ids, { byPeriod: addsCalculatedLines(balanceBank) });
  const { cutoff } = getIdentityVisibility(balanceBank.retention_setting, scope, now);
  const balancesOf = createBalancesLookup(sums, balanceBank, cutoff);
  return rows.map((row) => toResident(bank, row, balancesOf(row.resident_id)));
}
