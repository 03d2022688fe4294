// `verify audit`: checks the chains of the audit log, and if asked compares the chains with heads that the command
// printed earlier. Prints the head of each chain and the first difference of each kind, and exits with 1 if there is a
// difference.

import type { Config } from '../../config.ts';
import type { CheckedChain } from '../../features/audit/rules/chain-check.ts';
import { verifyAudit } from '../../features/audit/commands/verify-audit.ts';
import { formatChainName, formatHead, readRecordedHeads, type RecordedHeads } from './audit-heads.ts';
import { CommandError } from '../command-error.ts';
import { selectTenant, selectTenants } from '../select-tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';
import { countDamaged, verifyDeadlineMs } from './verify-banks.ts';

type VerifyAuditOptions = {
  readonly tenant?: string[];
  /** A file with earlier output of the command. */
  readonly heads?: string;
};

export async function verifyAuditLogs(
  config: Config,
  { tenant: names, heads: path }: VerifyAuditOptions,
): Promise<void> {
  const recorded: RecordedHeads = path === undefined ? new Map() : await readRecordedHeads(path);
  // A tenant that was removed from the settings would not be verified.
  for (const name of recorded.keys()) selectTenant(config.tenants, name);
  const verified: CheckedChain[] = [];
  await runForEachTenant(config, selectTenants(config, names), async ({ name: tenant }, database) => {
    const input = { recordedHeads: recorded.get(tenant) ?? new Map() };
    const chains = await database.read({ deadlineMs: verifyDeadlineMs }, (db) => verifyAudit(db, input));
    for (const chain of chains) process.stdout.write(formatResult(tenant, chain));
    if (chains.length === 0) process.stdout.write(`${tenant}: no audit entries\n`);
    verified.push(...chains);
  });
  const damaged = countDamaged(verified);
  if (damaged > 0) throw new CommandError(`${damaged} of ${verified.length} audit chains are damaged`, 1);
}

const explanations = {
  edited: 'does not follow from the one before',
  missing: 'missing',
  inserted: 'not written by the service',
  head: 'not what the head of the chain says',
  replaced: 'not the one of the given head',
  shortened: 'gone since the given head',
};

function formatResult(tenant: string, { chain, entryCount, last, differences }: CheckedChain): string {
  const name = formatChainName(tenant, chain);
  const verdict = differences.length === 0 ? 'sound' : 'DAMAGED';
  const lines = differences.map(({ kind, entries, count }) => {
    const more = count === 1 ? '' : ` (the first of ${count})`;
    return `  audit entry ${entries}: ${explanations[kind]}${more}`;
  });
  return `${[`${name}: ${entryCount} audit entries: ${verdict}${formatHead(last)}`, ...lines].join('\n')}\n`;
}
