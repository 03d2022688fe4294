// Makes the items that represent residents.

import type { Db } from '../../database/db.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import { formatBankKid, formatLocationKid, formatUserKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { getIdentityVisibility } from '../residents/rules/identity.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { findBalanceBank, listResidentSums } from './queries/resident-balances.ts';
import type { ResidentRow } from './queries/residents.ts';
import { addsCalculatedLines, createBalancesLookup, type ResidentBalances } from './rules/balances.ts';
import { residentStateOf, type ResidentLifecycleState } from './rules/commands.ts';
import type { BankUser } from './schemas.ts';

const icons: Readonly<Record<ResidentLifecycleState, string>> = {
  active: 'person',
  disabled: 'person~blocked',
  deleted: 'person~deleted',
};

type ResidentItemsContext = Pick<ManagerContext, 'scope' | 'now'>;

/** The items in the order of the rows. */
export async function readResidentItems(
  db: Db,
  bank: GrantedBank,
  rows: readonly ResidentRow[],
  { scope, now }: ResidentItemsContext,
): Promise<BankUser[]> {
  const balanceBank = await findBalanceBank(db, bank);
  if (balanceBank === undefined)
    return rows.map((row) => toResidentItem(bank, row, { balances: [], lastActivityAt: null }));
  const ids = rows.map(({ resident_id }) => resident_id);
  const sums = await listResidentSums(db, bank, ids, { byPeriod: addsCalculatedLines(balanceBank) });
  const { cutoff } = getIdentityVisibility(balanceBank.retention_setting, scope, now);
  const balancesOf = createBalancesLookup(sums, balanceBank, cutoff);
  return rows.map((row) => toResidentItem(bank, row, balancesOf(row.resident_id)));
}

function toResidentItem(bank: GrantedBank, row: ResidentRow, { balances, lastActivityAt }: ResidentBalances): BankUser {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const state = residentStateOf(row);
  return {
    kid: formatUserKid(bankKid, row.resident_id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    apartment: row.apartment,
    locationKid: row.location_id === null ? null : formatLocationKid(bankKid, row.location_id),
    locationName: row.location_name ?? '',
    state,
    balances: balances.map(([currency, amountMinor]) => ({
      currency: currency === '' ? null : currency,
      amountMinor: toJsonInt64(amountMinor),
    })),
    lastActivityUtc: lastActivityAt === null ? null : formatUtc(lastActivityAt),
    iconKid: icons[state],
    revision: String(row.revision),
  };
}
