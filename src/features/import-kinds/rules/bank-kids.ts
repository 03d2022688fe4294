// Reads and writes the KIDs of a bank's objects.

import { formatBankKid, parseKid, type KidOf } from '../../../lib/kid.ts';
import type { ImportTarget } from '../import-kind.ts';

type BankType = 'location' | 'unit' | 'user' | 'posting' | 'event';

export const bankKidOf = ({ bank }: ImportTarget): string => formatBankKid(bank.tenant, bank.bankId);

/** Undefined for a text that is no KID of an object of the bank. */
export function parseKidOfBank<T extends BankType>(
  { bank }: ImportTarget,
  text: string | null | undefined,
  type: T,
): KidOf<T> | undefined {
  const kid = parseKid<BankType>(text ?? '', bank.tenant, [type]);
  return kid?.bankId === bank.bankId ? (kid as KidOf<T>) : undefined;
}
