// Locks a computer, whose code, keys and revocation change one after another, and reads and changes its keys.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { findPrepared } from '../../../database/statements/prepared-query.ts';
import type { Environment } from '../../../permissions/scope.ts';

export type ComputerKey = { readonly bankId: number; readonly computerId: number };

export const computerLock = ({ bankId, computerId }: ComputerKey): Lock<void> =>
  createLock('computer', [bankId, computerId], {
    update: (db) =>
      db
        .updateTable('computers')
        .set({ writes: sql<number>`writes + 1` })
        .where('bank_id', '=', bankId)
        .where('computer_id', '=', computerId)
        .execute(),
  });

export type KeyedComputer = ComputerKey & {
  readonly name: string;
  readonly desiredFrom: number;
  readonly environment: string;
  readonly firstUsedAt: number | null;
};

/** The computer that has the key; undefined if there is none, it was revoked, or its bank is deleted. */
export const findKeyedComputer = (db: Db, keyHash: string): Promise<KeyedComputer | undefined> =>
  findPrepared(db, 'find computer by key', { keyHash }, (bind) =>
    db
      .selectFrom('computer_keys as k')
      .innerJoin('computers as c', onEqual('c', 'k', 'bank_id', 'computer_id'))
      .innerJoin('banks as b', 'b.bank_id', 'k.bank_id')
      .select([
        'k.bank_id as bankId',
        'k.computer_id as computerId',
        'c.name',
        'c.desired_from as desiredFrom',
        'k.environment',
        'k.first_used_at as firstUsedAt',
      ])
      .where('k.key_hash', '=', bind<string>('keyHash'))
      .where('c.revoked_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );

export async function insertComputerKey(
  db: WriteDb,
  { bankId, computerId }: ComputerKey,
  { keyHash, environment, now }: { readonly keyHash: string; readonly environment: Environment; readonly now: number },
): Promise<void> {
  await db
    .insertInto('computer_keys')
    .values({
      key_hash: keyHash,
      bank_id: bankId,
      computer_id: computerId,
      environment,
      created_at: now,
      first_used_at: null,
    })
    .execute();
}

/** From the first use of a key on, no other key of the computer is valid. */
export async function useComputerKey(
  db: WriteDb,
  computer: ComputerKey,
  { keyHash, now }: { readonly keyHash: string; readonly now: number },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('computer_keys')
    .set({ first_used_at: now })
    .where('key_hash', '=', keyHash)
    .where('first_used_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await deleteKeysBut(db, computer, keyHash);
}

const deleteKeysBut = (db: WriteDb, { bankId, computerId }: ComputerKey, keyHash: string) =>
  db
    .deleteFrom('computer_keys')
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .where('key_hash', '!=', keyHash)
    .execute();

/** Deletes every other key of the computer; false if it no longer has this one, and then nothing is deleted. */
export async function deleteOtherKeys(db: WriteDb, computer: ComputerKey, keyHash: string): Promise<boolean> {
  const own = await db
    .selectFrom('computer_keys')
    .select('key_hash')
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  if (own !== undefined) await deleteKeysBut(db, computer, keyHash);
  return own !== undefined;
}
