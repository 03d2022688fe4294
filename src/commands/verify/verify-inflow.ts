// `verify inflow`: checks that each line of computers was booked or held once, and prints the first difference of each
// kind. Exits with 1 if there is a difference.

import type { Config } from '../../config.ts';
import { verifyInflow, type VerifiedInflow } from '../../features/inflow/commands/verify-inflow.ts';
import { formatBankKid } from '../../lib/kid.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { countDamaged, verifyBanks } from './verify-banks.ts';

export async function verifyInflows(config: Config, { tenant }: { readonly tenant?: string[] }): Promise<void> {
  const verified = await verifyBanks(config, selectTenants(config, tenant), {
    verify: verifyInflow,
    format: formatResult,
  });
  const damaged = countDamaged(verified);
  if (damaged > 0) throw new CommandError(`the streams of ${damaged} of ${verified.length} banks are damaged`, 1);
}

function formatResult(
  { tenant, bankId }: WholeGrantedBank,
  { epochs, lines, held, differences }: VerifiedInflow,
): string {
  const verdict = differences.length === 0 ? 'sound' : 'DAMAGED';
  const summary = `${formatBankKid(tenant, bankId)}: ${epochs} streams, ${lines} lines, ${held} held: ${verdict}`;
  const ofKinds = Map.groupBy(differences, ({ kind }) => kind);
  const details = [...ofKinds].map(([kind, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` (the first of ${others.length + 1})`;
    return `  ${kind}: ${first?.key}: stored ${first?.stored}, computed ${first?.computed}${more}`;
  });
  return `${[summary, ...details].join('\n')}\n`;
}
