// Records the lines of requests in one transaction: locks the streams, skips the lines that the streams have, stores
// the other lines, and moves the streams on.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import { takeLocks, type Lock } from '../../database/locks.ts';
import { formatBankKid, formatHeldLineKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import { pairItems } from '../../lib/values/pair-items.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { StreamName } from '../computers/rules/streams.ts';
import { computerContactLock } from './queries/contacts.ts';
import {
  readComputerHead,
  advanceStream,
  streamLock,
  type DesiredHead,
  type StreamKey,
  type StreamRow,
  type StreamCounts,
} from './queries/streams.ts';
import { holdLines, listHeldLinesOf } from './queries/held-lines.ts';
import { readComputerUnits } from './read-computer-units.ts';
import { readKnownMoney } from './read-money-knowledge.ts';
import type { StreamRequest, NewLines, StoredLines } from './read-stream-request.ts';
import { listMoneyLocks, recordMoneyLines } from './record-money-lines.ts';
import { listSamplesLocks, recordSamples } from './record-samples.ts';
import { readDeviceClock } from './rules/clock.ts';
import type { HeldCode } from './rules/held-codes.ts';
import type { StreamBody, StreamLine } from './rules/parse-lines.ts';
import type { ReceivedHeader } from './rules/stream-header.ts';

type StoreLines = (newLines: readonly NewLines[]) => Promise<readonly StoredLines[]>;

type LineStore = {
  /** The locks besides those of the streams. */
  readonly locks: (bank: WholeGrantedBank, lines: readonly StreamLine[]) => readonly Lock[];
  /** Begins to read in the call itself: what it reads is sent together with the locks, and run after them. */
  readonly prepare: (db: LockableDb, bank: WholeGrantedBank, requests: readonly StreamRequest[]) => Promise<StoreLines>;
};

const stores: Readonly<Record<StreamName, LineStore>> = {
  money: {
    locks: listMoneyLocks,
    prepare: async (db, bank, requests) => {
      const known = await readKnownMoney(db, bank, requests);
      return (newLines) => recordMoneyLines(db, bank, known, newLines);
    },
  },
  samples: {
    locks: listSamplesLocks,
    prepare: async (db, bank, requests) => {
      const units = await Promise.all(
        requests.map(({ context }) => readComputerUnits(db, bank, context.computer.name)),
      );
      return async (newLines) => {
        const stored: StoredLines[] = [];
        for (const [[{ context }, unitsOf], added] of pairItems(pairItems(requests, units), newLines))
          stored.push(await recordSamples(db, { context, units: unitsOf, newLines: added }));
        return stored;
      };
    },
  },
};

type Received = {
  readonly epoch: string;
  readonly through: number;
  readonly repeated: number;
  readonly held: readonly { readonly n: number; readonly code: HeldCode; readonly heldKid: string }[];
  readonly desired: DesiredHead;
};

export type RecordedLines = { readonly received: Received; readonly added: StreamCounts };

type Results = ReadonlyMap<StreamRequest, PromiseSettledResult<RecordedLines>>;

/**
 * The requests are of one bank and of one kind of stream. The deadline is the deadline of the first request. A repeated
 * request gets the same answer. A request that is refused, or that fails because of its lines, does not make the other
 * requests fail.
 */
export async function recordTogether(requests: readonly StreamRequest[]): Promise<Results> {
  const [first, ...others] = requests;
  if (first === undefined) return new Map();
  try {
    const recorded = await first.context.write((db) => recordLines(db, [first, ...others]));
    return new Map(pairItems(requests, recorded.map(toFulfilled)));
  } catch (error) {
    if (error instanceof RefusedRequestsError) {
      const accepted = requests.filter((request) => !error.problems.has(request));
      const refused = [...error.problems].map(([request, problem]) => [request, toRejected(problem)] as const);
      return new Map([...refused, ...(await recordTogether(accepted))]);
    }
    // Whether anything was stored can be unknown then, and storage is in no state to be asked again for each.
    if (error instanceof StorageError || others.length === 0)
      return new Map(requests.map((request) => [request, toRejected(error)]));
    // Nothing was stored. Alone, only those at fault fail.
    const alone: (readonly [StreamRequest, PromiseSettledResult<RecordedLines>])[] = [];
    for (const request of requests) alone.push(...(await recordTogether([request])));
    return new Map(alone);
  }
}

/** Throws why it is refused. */
export async function recordAlone(request: StreamRequest): Promise<RecordedLines> {
  const result = (await recordTogether([request])).get(request);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason ?? new Error('a request has no result');
}

const toFulfilled = <T>(value: T): PromiseFulfilledResult<T> => ({ status: 'fulfilled', value });
const toRejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/** Why requests are refused. Nothing is stored, of the others neither. */
class RefusedRequestsError extends Error {
  readonly problems: ReadonlyMap<StreamRequest, Problem>;

  constructor(problems: ReadonlyMap<StreamRequest, Problem>) {
    super('requests are refused');
    this.name = 'RefusedRequestsError';
    this.problems = problems;
  }
}

/**
 * The requests are of one bank and of one kind of stream, each of another computer. Returns what was recorded of each.
 */
async function recordLines(
  db: LockableDb,
  requests: readonly [StreamRequest, ...StreamRequest[]],
): Promise<RecordedLines[]> {
  const { bank, stream: name } = requests[0].key;
  const { locks, prepare } = stores[name];
  const [streams, store] = await Promise.all([
    lockStreams(
      db,
      requests,
      locks(
        bank,
        requests.flatMap(({ body }) => body.lines),
      ),
    ),
    prepare(db, bank, requests),
  ]);
  const located = pairItems(requests, streams);
  const problems = located.flatMap(([request, stream]) => {
    const problem = findPositionProblem(stream, request.body.header);
    return problem === undefined ? [] : [[request, problem] as const];
  });
  if (problems.length > 0) throw new RefusedRequestsError(new Map(problems));
  const newLines = located.map(([request, stream]) => toNewLines(request, stream));
  const stored = newLines.some(({ lines }) => lines.length > 0)
    ? await store(newLines)
    : newLines.map(() => noneStored);
  const outcomes = pairItems(located, pairItems(newLines, stored)).map(([[request, stream], [added, outcome]]) => ({
    request,
    stream,
    newLines: added,
    stored: outcome,
  }));
  for (const {
    request,
    newLines: { epochNumber, now },
    stored: { held },
  } of outcomes)
    await holdLines(db, request.key, held, { epochNumber, now });
  // Sent together; the engine runs them in this order.
  return Promise.all(outcomes.map((outcome) => endRequest(db, outcome)));
}

const noneStored: StoredLines = { held: [], other: 0 };

async function lockStreams(
  db: LockableDb,
  requests: readonly StreamRequest[],
  otherLocks: readonly Lock[],
): Promise<readonly StreamRow[]> {
  const contactLocks = requests.map(({ context: { now }, key: { bank, computerId }, body: { header } }) => {
    const clockOffsetMs = readDeviceClock(header, now).offsetMs;
    return computerContactLock(bank, computerId, { ...header, clockOffsetMs, now });
  });
  const streamLocks = requests.map(({ key }) => streamLock(key));
  const read = await takeLocks(db, [...streamLocks, ...otherLocks, ...contactLocks]);
  return read.slice(0, streamLocks.length) as StreamRow[];
}

function toNewLines({ context: { now }, key: { bank, computerId }, body }: StreamRequest, stream: StreamRow): NewLines {
  const lines = body.lines.filter(({ n }) => n > stream.through);
  return { bank, computerId, epochNumber: stream.epoch_number, lines, clock: readDeviceClock(body.header, now), now };
}

/** Finds a request of another epoch, and lines that are missing before its first one. */
function findPositionProblem({ epoch, through }: StreamRow, header: ReceivedHeader): Problem | undefined {
  const extensions = { epoch, expected: through + 1 };
  if (epoch !== '' && epoch !== header.epoch) return new Problem('unknown-epoch', { extensions });
  return header.first > through + 1
    ? new Problem('stream-gap', { extensions: { ...extensions, epoch: header.epoch } })
    : undefined;
}

type Outcome = {
  readonly request: StreamRequest;
  readonly stream: StreamRow;
  readonly newLines: NewLines;
  readonly stored: StoredLines;
};

/** Moves the stream on, and reads what the answer says besides. */
async function endRequest(
  db: WriteDb,
  { request: { key, body }, stream, newLines: { lines, epochNumber, now }, stored: { held, other } }: Outcome,
): Promise<RecordedLines> {
  const { header } = body;
  const added = { held: held.length, other, booked: lines.length - held.length - other };
  const through = Math.max(stream.through, lines.at(-1)?.n ?? 0);
  const repeated = body.lines.length - lines.length;
  const [, heldLines, desired] = await Promise.all([
    lines.length === 0 ? undefined : advanceStream(db, key, { epoch: header.epoch, through, added, now }),
    repeated + held.length === 0 ? [] : readHeld(db, key, { epochNumber, lines: body.lines }),
    readComputerHead(db, key.bank, key.computerId),
  ]);
  return { received: { epoch: header.epoch, through, repeated, held: heldLines, desired }, added };
}

async function readHeld(
  db: WriteDb,
  key: StreamKey,
  { epochNumber, lines }: { readonly epochNumber: number; readonly lines: StreamBody['lines'] },
): Promise<Received['held']> {
  const [first, last] = [lines.at(0), lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows = await listHeldLinesOf(db, key, { epochNumber, first: first.n, last: last.n });
  const bankKid = formatBankKid(key.bank.tenant, key.bank.bankId);
  return rows.map(({ n, code, held_id }) => ({
    n,
    code: code as HeldCode,
    heldKid: formatHeldLineKid(bankKid, held_id),
  }));
}
