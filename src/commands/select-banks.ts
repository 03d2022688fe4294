// Which bank a command works on: named by its KID, or by its number alone.

import { parseKid } from '../lib/kid.ts';
import { CommandError } from './command-error.ts';

export type SelectedBank = { readonly tenant: string; readonly bankId: number };

/** The banks that are named among these tenants: a KID names one of one tenant, a number one of each. */
export function selectBanks(tenants: readonly string[], text: string): SelectedBank[] {
  const found = tenants.flatMap((name) => {
    const kid = parseKid(/^\d/.test(text) ? `${name}-B${text}` : text, name, ['bank']);
    return kid === undefined ? [] : [{ tenant: name, bankId: kid.bankId }];
  });
  if (found.length > 0) return found;
  throw new CommandError(`--bank ${text}: expected a bank’s number, or its KID, such as ${tenants[0]}-B1001`);
}

export function selectBankId(tenant: string, text: string): number {
  const [{ bankId }] = selectBanks([tenant], text) as [SelectedBank];
  return bankId;
}
