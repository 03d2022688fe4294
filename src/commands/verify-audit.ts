// `verify audit`: checks the chains of the audit log, and prints the first difference of each kind. Exits with 1 if there
// is any.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { tenantChain } from '../features/audit/rules/chain.ts';
import type { CheckedChain } from '../features/audit/rules/chain-check.ts';
import { verifyAudit } from '../features/audit/verify-audit.ts';
import { formatBankKid } from '../lib/kid.ts';
import { CommandError } from './command-error.ts';
import { selectTenants } from './select-tenants.ts';
import { runForEachTenant } from './storage-failures.ts';

const deadlineMs = 3_600_000;

export type VerifyAuditOptions = { readonly tenant?: string[] };

export async function verifyAuditLogs(config: Config, { tenant: names }: VerifyAuditOptions): Promise<void> {
  const tenants = selectTenants(config, names).map(({ name }) => name);
  const databases = openDatabases(config.storage);
  let chainCount = 0;
  let damagedCount = 0;
  try {
    await runForEachTenant(databases, tenants, async (tenant) => {
      const chains = await databases.forTenant(tenant).read({ deadlineMs }, (db) => verifyAudit(db));
      for (const chain of chains) process.stdout.write(formatResult(tenant, chain));
      if (chains.length === 0) process.stdout.write(`${tenant}: no audit entries\n`);
      chainCount += chains.length;
      damagedCount += chains.filter(({ differences }) => differences.length > 0).length;
    });
  } finally {
    await databases.close();
  }
  if (damagedCount > 0) throw new CommandError(`${damagedCount} of ${chainCount} audit chains are damaged`, 1);
}

const explanations = {
  edited: 'does not follow from the one before',
  missing: 'missing',
  inserted: 'not written by the service',
  head: 'not what the head of the chain says',
};

function formatResult(tenant: string, { chain, entryCount, differences }: CheckedChain): string {
  const name = chain === tenantChain ? tenant : formatBankKid(tenant, chain);
  const verdict = differences.length === 0 ? 'sound' : 'DAMAGED';
  const lines = differences.map(({ kind, entries, count }) => {
    const more = count === 1 ? '' : ` (the first of ${count})`;
    return `  audit entry ${entries}: ${explanations[kind]}${more}`;
  });
  return `${[`${name}: ${entryCount} audit entries: ${verdict}`, ...lines].join('\n')}\n`;
}
