// Selects the banks that a command works on, by KID or by number.

import { formatBankKid, parseKid } from '../lib/kid.ts';
import { CommandError } from './command-error.ts';

type SelectedBank = { readonly tenant: string; readonly bankId: number };

/** A canonical bank number: no leading zeros. */
const bankNumberPattern = /^[1-9]\d{0,9}$/;

/** A KID selects the bank of one of these tenants, a number one bank of each. */
export function selectBanks(tenants: readonly string[], text: string): SelectedBank[] {
  const banks = tenants.flatMap((tenant) => {
    const kidText = bankNumberPattern.test(text) ? formatBankKid(tenant, Number(text)) : text;
    const kid = parseKid(kidText, tenant, ['bank']);
    return kid === undefined ? [] : [{ tenant, bankId: kid.bankId }];
  });
  if (banks.length > 0) return banks;
  const example = formatBankKid(tenants[0] ?? '', 1001);
  throw new CommandError(`--bank ${text}: expected a bank’s number, or its KID, such as ${example}`);
}

export function selectBankId(tenant: string, text: string): number {
  const [{ bankId }] = selectBanks([tenant], text) as [SelectedBank];
  return bankId;
}
