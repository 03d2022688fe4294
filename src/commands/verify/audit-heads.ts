// Writes and reads the heads in the output of `verify audit`, so that a later run can compare the log with them.

import { readFile } from 'node:fs/promises';
import { tenantChain } from '../../features/audit/rules/hash-chain.ts';
import type { RecordedHead } from '../../features/audit/rules/chain-check.ts';
import { formatBankKid } from '../../lib/kid.ts';
import { CommandError } from '../command-error.ts';

/** By tenant, and by chain. */
export type RecordedHeads = ReadonlyMap<string, ReadonlyMap<number, RecordedHead>>;

/** `sund`, `sund-B1001` */
export const formatChainName = (tenant: string, chain: number): string =>
  chain === tenantChain ? tenant : formatBankKid(tenant, chain);

/** The end of a chain's line. */
export const formatHead = (head: RecordedHead | undefined): string =>
  head === undefined ? '' : ` (head ${head.sequence} ${head.link})`;

const headPattern = /^([a-z0-9]+)(?:-B(\d+))?: \d+ audit entries: \w+ \(head (\d+) ([\w-]{43})\)$/;

/** Where the text has a chain several times, the longest one counts. */
export async function readRecordedHeads(path: string): Promise<RecordedHeads> {
  const heads = new Map<string, Map<number, RecordedHead>>();
  for (const line of await readLines(path)) {
    const [, tenant, bank, sequence, link] = headPattern.exec(line.trimEnd()) ?? [];
    if (tenant === undefined || link === undefined) continue;
    const ofTenant = heads.getOrInsertComputed(tenant, () => new Map());
    const chain = bank === undefined ? tenantChain : Number(bank);
    const head = { sequence: Number(sequence), link };
    if (head.sequence > (ofTenant.get(chain)?.sequence ?? 0)) ofTenant.set(chain, head);
  }
  if (heads.size === 0) throw new CommandError(`${path} holds no heads: expected what verify audit has printed`, 2);
  return heads;
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n');
  } catch (error) {
    throw new CommandError(`${path} could not be read: ${String((error as NodeJS.ErrnoException).code)}`, 2);
  }
}
