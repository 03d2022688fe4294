// GetBankUserActivation: reads the code with which a resident takes over the account.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatUserKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { findActivation } from '../queries/resident-details.ts';
import { requireAdministeredResident, requireGrantedResident, type ResidentInput } from '../require-resident.ts';
import { codeStateOf, expiresAt, findCodeRefusal } from '../rules/activation.ts';
import { residentStateOf } from '../rules/allowed-commands.ts';
import type { ResidentActivation } from '../schemas.ts';

export type ActivationDependencies = {
  /** The address under which a resident of the tenant enters the code. */
  readonly formatActivationLink: (tenant: string, code: string) => string;
};

/** Throws 404 `no-activation-code` if there is no valid code. */
export function getBankUserActivation(
  context: ManagerContext,
  input: ResidentInput,
  { formatActivationLink }: ActivationDependencies,
): Promise<ResidentActivation> {
  const { scope, tenant, now } = context;
  const granted = requireGrantedResident(scope, input);
  return context.read(async (db) => {
    const { bank, row } = await requireAdministeredResident(db, granted, now);
    const activation = await findActivation(db, bank, row.resident_id);
    const reason = findCodeRefusal(residentStateOf(row), codeStateOf(activation, now));
    if (reason !== undefined) throw new Problem('no-activation-code', { reason });
    const { code, created_at } = activation!;
    return {
      userKid: formatUserKid(formatBankKid(tenant.name, bank.bankId), row.resident_id),
      code,
      expiresAtUtc: formatUtc(expiresAt({ created_at })),
      link: formatActivationLink(tenant.name, code),
    };
  });
}
