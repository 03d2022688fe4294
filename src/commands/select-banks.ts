// Finds the banks that a command works on, by KID or by number.

import { formatBankKid, parseKid } from '../lib/kid.ts';
import { CommandError } from './command-error.ts';

const bankNumberPattern = /^[1-9]\d{0,9}$/;

export type SelectedBank = { readonly tenant: string; readonly bankId: number };

/** A KID selects a bank of one tenant, a number one of each tenant. */
export function selectBanks(tenants: readonly string[], text: string): SelectedBank[] {
  const found = tenants.flatMap((name) => {
    const kid = parseKid(bankNumberPattern.test(text) ? formatBankKid(name, Number(text)) : text, name, ['bank']);
    return kid === undefined ? [] : [{ tenant: name, bankId: kid.bankId }];
  });
  if (found.length > 0) return found;
  throw new CommandError(
    `--bank ${text}: expected a bank’s number, or its KID, such as ${formatBankKid(tenants[0] ?? '', 1001)}`,
  );
}

export function selectBankId(tenant: string, text: string): number {
  const [{ bankId }] = selectBanks([tenant], text) as [SelectedBank];
  return bankId;
}
