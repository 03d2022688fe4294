// Reads the computer of an enrolment code, and writes what a computer says when it enrols.

import type { Db, WriteDb } from '../../../database/db.ts';
import { findPrepared } from '../../../database/statements/prepared-query.ts';
import { streamNames, type StreamName } from '../rules/streams.ts';
import type { StoredCode } from '../rules/enrolment-code.ts';
import type { ComputerKey } from './computer-keys.ts';

export type ComputerOfCode = ComputerKey & StoredCode;

/** Undefined if no computer has the code. */
export const findComputerByCode = (db: Db, codeHash: string): Promise<ComputerOfCode | undefined> =>
  findPrepared(db, 'find computer by code', { codeHash }, (bind) =>
    db
      .selectFrom('computers as c')
      .innerJoin('banks as b', 'b.bank_id', 'c.bank_id')
      .select(['c.bank_id as bankId', 'c.computer_id as computerId'])
      .select(['c.code_expires_at', 'c.code_environment', 'c.revoked_at'])
      .where('c.code_hash', '=', bind<string>('codeHash'))
      .where('b.deleted_at', 'is', null),
  );

/** A replacement knows nothing of what its predecessor has applied. The streams continue. */
export async function storeEnrolledState(
  db: WriteDb,
  { bankId, computerId }: ComputerKey,
  { serial, software, now }: { readonly serial: string; readonly software: string; readonly now: number },
): Promise<void> {
  // A request with lines locks the stream before the state, too.
  await countStreamWrites(db, { bankId, computerId }, streamNames, 0);
  const state = {
    serial,
    software,
    last_contact_at: now,
    clock_offset_ms: null,
    buffered: 0,
    sent_version: 0,
    acknowledged_version: 0,
    digests_equal: null,
    last_error: null,
  };
  const { numUpdatedRows } = await db
    .updateTable('computer_states')
    .set(state)
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    await db
      .insertInto('computer_states')
      .values({ bank_id: bankId, computer_id: computerId, ...state })
      .execute();
}

/** Adds to how often streams were written. Those that are missing are created; another one stays as it is. */
export const countStreamWrites = (
  db: WriteDb,
  { bankId, computerId }: ComputerKey,
  streams: readonly StreamName[],
  writes: number,
) => {
  const rows = streams.map((stream) => ({
    bank_id: bankId,
    computer_id: computerId,
    stream,
    epoch: '',
    epoch_number: 0,
    through: 0,
    booked: 0,
    held: 0,
    other: 0,
    received_at: null,
    writes,
  }));
  return db.dialect.upsertRows(db, 'computer_streams', rows, {
    key: ['bank_id', 'computer_id', 'stream'],
    sum: ['writes'],
  });
};
