// AuthoriseUse: answers a computer whether the holder of a key may use a unit now.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatUserKid } from '../../../lib/kid.ts';
import { readAuthorisation } from '../read-authorisation.ts';
import type { UseAuthorisation } from '../schemas.ts';

type AuthoriseUseInput = { readonly unit: string; readonly key: string };

export async function authoriseUse(context: ComputerContext, input: AuthoriseUseInput): Promise<UseAuthorisation> {
  const { bank, computer, tenant, now } = context;
  const asking = { bank, computerName: computer.name, region: tenant, now };
  const { allowed, reason, residentId } = await context.read((db) => readAuthorisation(db, asking, input));
  const residentKid = residentId === null ? null : formatUserKid(formatBankKid(bank.tenant, bank.bankId), residentId);
  return { allowed, reason, residentKid };
}
