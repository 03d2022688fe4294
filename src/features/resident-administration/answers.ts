// Makes residents from rows.

import { toJsonInt64 } from '../../lib/values/int64.ts';
import { formatBankKid, formatLocationKid, formatUserKid } from '../../lib/kid.ts';
import { recordOf } from '../../lib/values/fields.ts';
import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { personalFields } from '../residents/fields.ts';
import type { ResidentRow } from './queries/residents.ts';
import type { ResidentBalances } from './rules/balances.ts';
import { residentStateOf, type ResidentState } from './rules/allowed-commands.ts';
import type { Resident, ResidentBalance } from './schemas.ts';

const icons: Readonly<Record<ResidentState, string>> = {
  active: 'person',
  disabled: 'person~blocked',
  deleted: 'person~deleted',
};

const toBalance = ([currency, amountMinor]: readonly [string, bigint]): ResidentBalance => ({
  currency: currency === '' ? null : currency,
  amountMinor: toJsonInt64(amountMinor),
});

export function toResident(
  bank: GrantedBank,
  row: ResidentRow,
  { balances, lastActivityAt }: ResidentBalances,
): Resident {
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
