// Reads the balances of residents, and formats their items.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { formatBankKid, formatLocationKid, formatUserKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { recordOf } from '../../lib/values/fields.ts';
import { toJsonInt64 } from '../../lib/values/int64.ts';
import { isWhole, type GrantedBank } from '../../permissions/coverage.ts';
import { personalFields } from '../residents/fields.ts';
import { getIdentityVisibility } from '../residents/rules/identity.ts';
import { findBalanceBank, listResidentSums } from './queries/resident-balances.ts';
import type { ResidentRow } from './queries/residents.ts';
import { residentStateOf, type ResidentState } from './rules/allowed-commands.ts';
import { addsCalculatedLines, createBalancesLookup, type ResidentBalances } from './rules/balances.ts';
import type { Resident, ResidentBalance } from './schemas.ts';

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

const icons: Readonly<Record<ResidentState, string>> = {
  active: 'person',
  disabled: 'person~blocked',
  deleted: 'person~deleted',
};

const toBalance = ([currency, amountMinor]: readonly [string, bigint]): ResidentBalance => ({
  currency: currency === '' ? null : currency,
  amountMinor: toJsonInt64(amountMinor),
});

function toResident(bank: GrantedBank, row: ResidentRow, { balances, lastActivityAt }: ResidentBalances): Resident {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const state = residentStateOf(row);
  return {
    kid: formatUserKid(bankKid, row.resident_id),
    ...recordOf(personalFields, (field) => row[field]),
    locationKid: row.location_id === null ? null : formatLocationKid(bankKid, row.location_id),
    locationName: row.location_name ?? '',
    state,
    language: row.language as Language,
    balances: balances?.map(toBalance) ?? null,
    lastActivityUtc: lastActivityAt === null ? null : formatUtc(lastActivityAt),
    iconKid: icons[state],
    revision: String(row.revision),
  };
}
