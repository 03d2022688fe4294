// GetDesired: tells a computer what has changed since a version, or waits until something has: as JSON, or as server-sent
// events.

import type { Db, LockableDb } from '../../../database/db.ts';
import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { StreamedBody } from '../../../http/representations/results.ts';
import type { DesiredWaiters } from '../process/desired-waiters.ts';
import type { EventStreamLimits } from '../rules/event-stream-limits.ts';
import { readChangedThings, toComputerOfThings, type ComputerOfThings } from '../read-things.ts';
import { takeLocks } from '../../../database/locks.ts';
import { Problem } from '../../../lib/problem.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { progressLock, readProgress } from '../queries/computer-progress.ts';
import {
  listRecordsAfter,
  moveRecords,
  readDesiredHead,
  supersedeReplacedSettings,
} from '../queries/outbox-records.ts';
import type { VersionedThing } from '../rules/desired-thing.ts';

type GetDesiredInput = {
  readonly after?: number;
  /** Seconds. */
  readonly wait: number;
};

export type GetDesiredDependencies = {
  readonly waiters: DesiredWaiters;
  readonly eventStreamLimits: EventStreamLimits;
};

export async function getDesired(
  context: ComputerContext,
  { after, wait }: GetDesiredInput,
  { waiters, eventStreamLimits }: GetDesiredDependencies,
) {
  if (acceptsEvents(context)) {
    const from = requireVersion(parseEventId(context.requestHeader('last-event-id')) ?? after);
    return new StreamedBody('text/event-stream', streamEvents(context, from, { waiters, ...eventStreamLimits }));
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
    const since = from;
    await context.wait(() => waiters.wait(bank, since, signal));
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

type Streaming = EventStreamLimits & Pick<Waiting, 'waiters'>;

async function* streamEvents(
  context: ComputerContext,
  after: number,
  { waiters, heartbeatMs, lifetimeMs }: Streaming,
): AsyncGenerator<string> {
  const end = AbortSignal.any([context.clientSignal, AbortSignal.timeout(lifetimeMs)]);
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
    .map((change, index) => {
      const id = index === changes.length - 1 ? version : change.v - 1;
      return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
    })
    .join('');

const maxRecords = 500;

type Changes = {
  /** The version at which the next read begins. */
  readonly version: number;
  /** Whether there are more. */
  readonly more: boolean;
  readonly changes: readonly VersionedThing[];
  /** The ids of records by what becomes of them. */
  readonly sent: readonly number[];
  readonly overtaken: readonly number[];
  readonly expired: readonly number[];
  /** Whether nobody was told of this version before. */
  readonly isNew: boolean;
};

type ComputerSince = ComputerOfThings & {
  /** Older versions than this one are in no answer of changes. */
  readonly desiredFrom: number;
};

/** Throws 410 where the version is older than what the outbox has for the computer, or newer than the outbox is. */
async function readChanges(db: Db, computer: ComputerSince, after: number): Promise<Changes> {
  const { bank, name, computerId, desiredFrom } = computer;
  const [head, progress] = await Promise.all([readDesiredHead(db, bank), readProgress(db, bank, computerId)]);
  if (after < desiredFrom || after > head) throw new Problem('resync');
  const range = { after, through: head };
  const records = await listRecordsAfter(db, bank, { ...range, computerName: name, limit: maxRecords });
  const more = records.length === maxRecords;
  const version = more ? (records.at(-1)?.sync_id ?? head) : head;
  const things =
    records.length === 0 ? [] : await readChangedThings(db, computer, records, { after, through: version });
  const told = new Set(things.flatMap(({ syncId, otherSyncIds = [] }) => [syncId, ...otherSyncIds]));
  const untold = records.filter(({ sync_id }) => !told.has(sync_id));
  return {
    version,
    more,
    changes: things.map(({ syncId, thing }) => ({ v: syncId, ...thing })),
    sent: [...told],
    // A command that is not told has expired or is done. Whatever else is not told was overtaken.
    expired: untold.filter(({ subject_kind }) => subject_kind === 'command').map(({ sync_id }) => sync_id),
    overtaken: untold.filter(isOvertaken).map(({ sync_id }) => sync_id),
    isNew: version > (progress?.sent_version ?? 0),
  };
}

/** Records for all computers of the bank mean something to another one of them even if they mean nothing to this one. */
const isOvertaken = ({ subject_kind, unit_id }: { readonly subject_kind: string; readonly unit_id: number }): boolean =>
  unit_id !== 0 && subject_kind !== 'command' && subject_kind !== 'posting';

/** Whether an answer with these changes has to be recorded. */
const needsRecord = ({ isNew, sent, overtaken, expired }: Changes): boolean =>
  isNew || sent.length + overtaken.length + expired.length > 0;

/** In the transaction before the answer: a record is sent when it stands in an answer, and not when it was queued. */
async function recordSent(
  db: LockableDb,
  { bank, computerId, now }: ComputerOfThings,
  { sent, overtaken, expired, version }: Changes,
): Promise<void> {
  await takeLocks(db, [outboxLock(bank), progressLock(bank, computerId, { sent: version })]);
  await moveRecords(db, bank, sent, { from: ['queued', 'sent'], to: 'sent', now });
  await moveRecords(db, bank, overtaken, { from: ['queued', 'sent', 'failed'], to: 'superseded', now });
  if (sent.length > 0) await supersedeReplacedSettings(db, bank, { through: version, now });
  await moveRecords(db, bank, expired, { from: ['queued', 'sent'], to: 'expired', now });
}
