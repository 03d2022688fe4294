// Records the lines of a request in one transaction: locks the stream, skips what it has, stores the rest, and moves the
// stream on. Whatever is repeated gets the same answer.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { type Lock, takeLocks } from '../../database/locks.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import { formatBankKid, formatHeldLineKid } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { StreamName } from '../computers/rules/streams.ts';
import { computerContactLock } from './queries/contacts.ts';
import { type DesiredHead, readComputerHead } from './queries/desired-head.ts';
import { holdLines, listHeldLinesOf } from './queries/held-lines.ts';
import { advanceStream, type StreamKey, streamLock, type StreamRow, type StreamCounts } from './queries/streams.ts';
import { listMoneyLocks, recordMoneyLines } from './record-money-lines.ts';
import { listSamplesLocks, recordSamples } from './record-samples.ts';
import { readDeviceClock } from './rules/clock.ts';
import type { HeldCode } from './rules/held-codes.ts';
import type { NewLines, StoredLines } from './rules/new-lines.ts';
import { type StreamBody, type StreamLine } from './rules/parse-lines.ts';
import type { ReceivedHeader } from './rules/stream-header.ts';

type LineStore = {
  /** The locks besides that of the stream. */
  readonly locks: (bank: WholeGrantedBank, lines: readonly StreamLine[]) => readonly Lock[];
  readonly store: (db: LockableDb, context: ComputerContext, newLines: NewLines) => Promise<StoredLines>;
};

const stores: Readonly<Record<StreamName, LineStore>> = {
  money: { locks: listMoneyLocks, store: recordMoneyLines },
  samples: { locks: listSamplesLocks, store: recordSamples },
};

type Received = {
  readonly epoch: string;
  readonly through: number;
  readonly repeated: number;
  readonly held: readonly { readonly n: number; readonly code: HeldCode; readonly heldKid: string }[];
  readonly desired: DesiredHead;
};

export async function recordLines(
  db: LockableDb,
  context: ComputerContext,
  { key, body }: { readonly key: StreamKey; readonly body: StreamBody },
): Promise<{ readonly received: Received; readonly added: StreamCounts }> {
  const { bank, computerId } = key;
  const { locks, store } = stores[key.stream];
  const { now } = context;
  const { header } = body;
  const clock = readDeviceClock(header, now);
  const [stream] = await takeLocks(db, [
    streamLock(key),
    ...locks(bank, body.lines),
    computerContactLock(bank, computerId, { ...header, clockOffsetMs: clock.offsetMs, now }),
  ]);
  requirePosition(stream, header);
  const lines = body.lines.filter(({ n }) => n > stream.through);
  const epochNumber = stream.epoch_number;
  let added = nothingAdded;
  if (lines.length > 0) {
    const stored = await store(db, context, { bank, computerId, epochNumber, lines, clock, now });
    added = await storeOutcome(db, key, { stream, header, lines, stored, now });
  }
  const repeated = body.lines.length - lines.length;
  const received = {
    epoch: header.epoch,
    through: Math.max(stream.through, lines.at(-1)?.n ?? 0),
    repeated,
    held: await readHeld(db, key, { epochNumber, lines: body.lines }),
    desired: await readComputerHead(db, bank, computerId),
  };
  return { received, added };
}

const nothingAdded: StreamCounts = { booked: 0, held: 0, other: 0 };

/** Throws where the request is of another epoch, or where lines are missing before its first one. */
function requirePosition({ epoch, through }: StreamRow, header: ReceivedHeader): void {
  const extensions = { epoch, expected: through + 1 };
  if (epoch !== '' && epoch !== header.epoch) throw new Problem('unknown-epoch', { extensions });
  if (header.first > through + 1)
    throw new Problem('stream-gap', { extensions: { ...extensions, epoch: header.epoch } });
}

type Outcome = {
  readonly stream: StreamRow;
  readonly header: ReceivedHeader;
  readonly lines: readonly StreamLine[];
  readonly stored: StoredLines;
  readonly now: number;
};

async function storeOutcome(
  db: WriteDb,
  key: StreamKey,
  { stream, header, lines, stored: { held, other }, now }: Outcome,
): Promise<StreamCounts> {
  await holdLines(db, key, held, { epochNumber: stream.epoch_number, now });
  const added = { held: held.length, other, booked: lines.length - held.length - other };
  const through = lines.at(-1)?.n ?? stream.through;
  await advanceStream(db, key, { epoch: header.epoch, through, added, now });
  return added;
}

async function readHeld(
  db: WriteDb,
  key: StreamKey,
  { epochNumber, lines }: { readonly epochNumber: number; readonly lines: readonly StreamLine[] },
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
