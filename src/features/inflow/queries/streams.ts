// Reads, locks and advances the streams of computers, and begins their epochs. Reads whether a computer has to be told
// something.

import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, requireLock, type Lock } from '../../../database/locks.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { countStreamWrites } from '../../computers/queries/enrolment.ts';
import type { StreamName } from '../../computers/rules/streams.ts';

export type StreamRow = Tables['computer_streams'];

/** A stream of a computer of the bank. */
export type StreamKey = { readonly bank: WholeGrantedBank; readonly computerId: number; readonly stream: StreamName };

/** Every write to a stream declares it. The first one of a stream creates its row. */
export const streamLock = (key: StreamKey): Lock<StreamRow> =>
  createLock('stream', [key.bank.bankId, key.computerId, key.stream === 'money' ? 1 : 2], {
    update: (db) => countStreamWrites(db, { bankId: key.bank.bankId, computerId: key.computerId }, [key.stream], 1),
    read: async (db) => {
      const row = await findStream(db, key);
      if (row === undefined) throw new Error('a locked stream has no row');
      return row;
    },
  });

async function findStream(db: Db, { bank, computerId, stream }: StreamKey): Promise<StreamRow | undefined> {
  const values = { bankId: bank.bankId, computerId, stream };
  const [row] = await runPrepared(db, 'find stream', values, (bind) =>
    db
      .selectFrom('computer_streams')
      .selectAll()
      .where('bank_id', '=', bind<number>('bankId'))
      .where('computer_id', '=', bind<number>('computerId'))
      .where('stream', '=', bind<string>('stream')),
  );
  return row;
}

/** The streams of a computer that have ever been written to. */
export const listStreams = (db: Db, { bankId }: WholeGrantedBank, computerId: number): Promise<StreamRow[]> =>
  db
    .selectFrom('computer_streams')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .execute();

export type StreamCounts = Pick<StreamRow, 'booked' | 'held' | 'other'>;

/** Adds the lines of a request to a stream that this transaction has locked. */
export async function advanceStream(
  db: WriteDb,
  key: StreamKey,
  { epoch, through, added, now }: { epoch: string; through: number; added: StreamCounts; now: number },
): Promise<void> {
  requireLock(db, streamLock(key));
  const values = {
    bankId: key.bank.bankId,
    computerId: key.computerId,
    stream: key.stream,
    epoch,
    through,
    now,
    ...added,
  };
  await runPrepared(db, 'advance stream', values, (bind) =>
    db
      .updateTable('computer_streams')
      .set((eb) => ({
        epoch: bind<string>('epoch'),
        through: bind<number>('through'),
        booked: eb('booked', '+', bind<number>('booked')),
        held: eb('held', '+', bind<number>('held')),
        other: eb('other', '+', bind<number>('other')),
        received_at: bind<number>('now'),
      }))
      .where('bank_id', '=', bind<number>('bankId'))
      .where('computer_id', '=', bind<number>('computerId'))
      .where('stream', '=', bind<string>('stream')),
  );
}

export type DesiredHead = {
  /** The last version of the outbox. */
  readonly version: number;
  /** Whether there is something that the computer was not told yet. */
  readonly pending: boolean;
};

export async function readComputerHead(db: Db, { bankId }: WholeGrantedBank, computerId: number): Promise<DesiredHead> {
  const [row] = await runPrepared(db, 'desired head of computer', { bankId, computerId }, (bind) =>
    db
      .selectFrom('computer_states as s')
      .leftJoin('device_sync_heads as h', 'h.bank_id', 's.bank_id')
      .select(['h.queued', 's.sent_version'])
      .where('s.bank_id', '=', bind<number>('bankId'))
      .where('s.computer_id', '=', bind<number>('computerId')),
  );
  const version = row?.queued ?? 0;
  return { version, pending: version > (row?.sent_version ?? 0) };
}

/** Whether the stream had this epoch before the present one. */
export async function isFormerEpoch(db: Db, { bank, computerId, stream }: StreamKey, epoch: string): Promise<boolean> {
  const row = await db
    .selectFrom('former_epochs')
    .select('epoch_number')
    .where('bank_id', '=', bank.bankId)
    .where('computer_id', '=', computerId)
    .where('stream', '=', stream)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the present epoch of a stream that this transaction has locked, and begins another one with no line. */
export async function beginEpoch(
  db: WriteDb,
  key: StreamKey,
  present: StreamRow,
  { epoch, reason, now }: { readonly epoch: string; readonly reason: string; readonly now: number },
): Promise<void> {
  requireLock(db, streamLock(key));
  const { writes: _writes, received_at: _received, ...former } = present;
  if (present.epoch !== '')
    await db
      .insertInto('former_epochs')
      .values({ ...former, ended_at: now, reason })
      .execute();
  await db
    .updateTable('computer_streams')
    .set({ epoch, epoch_number: present.epoch_number + 1, through: 0, booked: 0, held: 0, other: 0 })
    .where('bank_id', '=', key.bank.bankId)
    .where('computer_id', '=', key.computerId)
    .where('stream', '=', key.stream)
    .execute();
}
