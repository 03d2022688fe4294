// Compares the digests that a computer has sent with those of the service.

import type { ComputerContext } from '../../http/context/operation-context.ts';
import { readProgress, storeDigestsEqual } from './queries/computer-progress.ts';
import { toComputerOfThings, readAllThings } from './read-things.ts';
import type { DigestName } from './rules/digest.ts';
import { computeDigests, findDifferingLists } from './rules/lists.ts';

/** The lists that differ. `sentAt`: the time of the computer's digests, MS2000. */
export async function readDifferingLists(
  context: ComputerContext,
  digests: Readonly<Partial<Record<string, string>>>,
  sentAt: number,
): Promise<readonly DigestName[]> {
  const { bank, computer } = context;
  const { things, progress } = await context.read(async (db) => ({
    things: await readAllThings(db, { ...toComputerOfThings(context), now: Math.min(sentAt, context.now) }),
    progress: await readProgress(db, bank, computer.computerId),
  }));
  const differing = findDifferingLists(computeDigests(things, sentAt), digests);
  const isEqual = differing.length === 0;
  if (progress?.digests_equal !== (isEqual ? 1 : 0))
    await context.write((db) => storeDigestsEqual(db, bank, computer.computerId, isEqual));
  return differing;
}
