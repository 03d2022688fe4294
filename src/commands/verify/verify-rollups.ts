// `verify`: checks the roll-ups of every ledger against its postings. Exits with 1 if they differ.

import type { Config } from '../../config.ts';
import { verifyBankRollups, type RollupVerification } from '../../features/account/verification/verify-bank-rollups.ts';
import { formatBankKid } from '../../lib/kid.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { verifyBanks } from './verify-banks.ts';

export async function verifyRollups(config: Config, { tenant }: { readonly tenant?: string[] }): Promise<void> {
  const verified = await verifyBanks(config, selectTenants(config, tenant), {
    verify: verifyBankRollups,
    format: formatVerification,
  });
  const differenceCount = verified.reduce((sum, each) => sum + each.differenceCount, 0);
  if (differenceCount > 0)
    throw new CommandError(`${differenceCount} differences between postings and their stored sums`, 1);
}

function formatVerification(
  { tenant, bankId }: WholeGrantedBank,
  { postingCount, rollupCount, differenceCount, differences }: RollupVerification,
): string {
  const lines = differences.map(
    ({ key, stored = 'nothing', computed = 'nothing' }) => `  ${key}: stored ${stored}, computed ${computed}`,
  );
  const counts = `${postingCount} postings, ${rollupCount} roll-ups, ${differenceCount} differences`;
  return `${[`${formatBankKid(tenant, bankId)}: ${counts}`, ...lines].join('\n')}\n`;
}
