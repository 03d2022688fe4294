// GetDesired: tells a computer what has changed since a version, or waits until something has: as JSON, or as server-sent
// events.

import type { Db } from '../../../database/db.ts';
import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/field-problem.ts';
import { StreamedBody } from '../../../http/representations/results.ts';
import type { DesiredWaiters } from '../process/desired-waiters.ts';
import { needsRecord, readChanges, recordSent, type Changes } from '../read-changes.ts';
import { toComputerOfThings } from '../read-things.ts';

type GetDesiredInput = {
  readonly after?: number;
  /** Seconds. */
  readonly wait: number;
};

type GetDesiredDependencies = { readonly waiters: DesiredWaiters };

/** A client that was cut off is noticed, and rights are looked at again. */
const maxEventStreamMs = 600_000;
const heartbeatMs = 20_000;

export async function getDesired(
  context: ComputerContext,
  { after, wait }: GetDesiredInput,
  { waiters }: GetDesiredDependencies,
) {
  if (acceptsEvents(context)) {
    const from = requireVersion(parseEventId(context.requestHeader('last-event-id')) ?? after);
    return new StreamedBody('text/event-stream', streamEvents(context, from, waiters));
  }
  const { version, more, changes } = await waitForChanges(context, requireVersion(after), {
    waiters,
    signal: AbortSignal.any([context.clientSignal, AbortSignal.timeout(wait * 1000)]),
  });
  return { version, more, changes };
}

const acceptsEvents = (context: ComputerContext): boolean =>
  context.requestHeader('accept')?.includes('text/event-stream') === true;

const parseEventId = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function requireVersion(after: number | undefined): number {
  if (after === undefined) throw createFieldProblem('query.after', 'is missing');
  return after;
}

type Waiting = { readonly waiters: DesiredWaiters; readonly signal: AbortSignal };

type ToldChanges = Pick<Changes, 'version' | 'more' | 'changes'>;

/** The first changes after the version; none if the signal aborts before. */
async function waitForChanges(
  context: ComputerContext,
  after: number,
  { waiters, signal }: Waiting,
): Promise<ToldChanges> {
  const bank = { tenant: context.tenant.name, bankId: context.bank.bankId };
  for (let from = after; ;) {
    const changes = await takeChanges(context, from);
    if (changes.changes.length > 0 || signal.aborted || waiters.isClosed) return changes;
    from = changes.version;
    await waiters.wait(bank, from, signal);
    // Nobody gets the answer: what is in it was not sent.
    if (context.clientSignal.aborted) return { version: from, more: false, changes: [] };
  }
}

async function takeChanges(context: ComputerContext, after: number): Promise<Changes> {
  const computer = toComputerOfThings(context);
  const since = { ...computer, desiredFrom: context.computer.desiredFrom };
  const changes = await context.readAfterWaiting((db: Db) => readChanges(db, since, after));
  if (needsRecord(changes)) await context.writeAfterWaiting((db) => recordSent(db, computer, changes));
  return changes;
}

async function* streamEvents(context: ComputerContext, after: number, waiters: DesiredWaiters): AsyncGenerator<string> {
  const end = AbortSignal.any([context.clientSignal, AbortSignal.timeout(maxEventStreamMs)]);
  // Sent at once, so that the client knows that the stream is open.
  yield 'retry: 5000\n\n';
  for (let from = after; !end.aborted && !waiters.isClosed;) {
    const signal = AbortSignal.any([end, AbortSignal.timeout(heartbeatMs)]);
    const { version, changes } = await waitForChanges(context, from, { waiters, signal });
    from = version;
    yield changes.length === 0 ? `id: ${version}\n: \n\n` : formatEvents(version, changes);
  }
}

/** The last event has the version of all: a client that comes back continues after it. */
const formatEvents = (version: number, changes: Changes['changes']): string =>
  changes
    .map((change, at) => {
      const id = at === changes.length - 1 ? version : change.v - 1;
      return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
    })
    .join('');
