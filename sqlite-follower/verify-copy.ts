// Proves a copy without restoring it: that every file is whole, and that nothing is missing between a base and the end of its
// generation.

import { listGenerations, readBase, readParts, type CopySource } from './read-copy.ts';
import { CopyError } from './copy-error.ts';
import { requireUnbroken } from './choose-copy.ts';
import { CopiedChain } from './copied-chain.ts';
import type { Generation } from './copy-names.ts';

export type ProvenGeneration = {
  readonly tenant: string;
  readonly name: string;
  readonly bases: number;
  readonly parts: number;
  /** Every moment between both can be restored. */
  readonly fromMs: number;
  readonly untilMs: number;
};

/** In order; those that have no base yet are left out. Throws CopyError with what is wrong, and where. */
export async function verifyCopy(source: CopySource): Promise<ProvenGeneration[]> {
  const proven: ProvenGeneration[] = [];
  for (const generation of await listGenerations(source.folder)) {
    const verified = await verifyGeneration(source, generation);
    if (verified !== undefined) proven.push(verified);
  }
  if (proven.length === 0) throw new CopyError('has no base yet: nothing can be restored from it');
  return proven;
}

async function verifyGeneration(source: CopySource, generation: Generation): Promise<ProvenGeneration | undefined> {
  const { name, bases, segments } = generation;
  const [oldest] = bases;
  if (oldest === undefined) return undefined;
  let tenant = '';
  for (const base of bases) {
    for await (const { head } of readBase(source, name, base.name)) ({ tenant } = head);
    requireUnbroken(
      generation,
      base,
      segments.filter(({ last }) => last >= base.first),
    );
  }
  const chain = new CopiedChain(tenant, name);
  let [parts, untilMs] = [0, oldest.atMs];
  for await (const { head, frames } of readParts(source, generation, oldest.first)) {
    chain.follow(head, frames);
    parts += 1;
    untilMs = Math.max(untilMs, head.untilMs);
  }
  return { tenant, name, bases: bases.length, parts, fromMs: oldest.atMs, untilMs };
}
