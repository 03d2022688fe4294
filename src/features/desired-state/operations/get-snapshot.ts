// GetSnapshot: streams everything that a computer has to know, read at one moment, with the version from which it follows
// the changes.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { StreamedBody } from '../../../http/representations/results.ts';
import { readDesiredHead } from '../queries/outbox-records.ts';
import { readAllThings } from '../read-snapshot.ts';
import { toComputerOfThings } from '../read-things.ts';
import { computeDigests, type DesiredThing } from '../rules/desired-thing.ts';

const linesPerChunk = 200;

export async function getSnapshot(context: ComputerContext): Promise<StreamedBody> {
  const computer = toComputerOfThings(context);
  const { version, things } = await context.read(async (db) => {
    const [head, all] = await Promise.all([readDesiredHead(db, context.bank), readAllThings(db, computer)]);
    return { version: head, things: all };
  });
  return new StreamedBody('application/jsonl', formatLines(version, things, context.now));
}

async function* formatLines(version: number, things: readonly DesiredThing[], now: number): AsyncGenerator<string> {
  for (let from = 0; from < things.length; from += linesPerChunk)
    yield things
      .slice(from, from + linesPerChunk)
      .map((thing) => `${JSON.stringify(thing)}\n`)
      .join('');
  yield `${JSON.stringify({ end: true, version, digests: computeDigests(things, now) })}\n`;
}
