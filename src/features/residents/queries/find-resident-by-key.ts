// Finds the residents of a bank who have keys.

import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ResidentKeyNumber } from '../rules/resident-key.ts';

/** The holders of keys with these numbers, of every kind, also those who may not use them (`findKeyRefusal`). */
export const listHoldersOfKeys = (db: Db, { bankId }: GrantedBank, numbers: readonly string[]) =>
  db
    .selectFrom('resident_keys as k')
    .innerJoin('residents as r', onEqual('r', 'k', 'bank_id', 'resident_id'))
    .select(['k.kind', 'k.key_number', 'k.added_at', 'k.resident_id', 'r.enabled', 'r.deleted_at', 'r.expired_at'])
    .where('k.held_number', 'in', numbers)
    .where('k.bank_id', '=', bankId)
    .execute();

export type KeyHolderRow = Awaited<ReturnType<typeof listHoldersOfKeys>>[number];

/** Undefined for a key that nobody of the bank has: unknown, of another bank or of another tenant. */
export const findResidentByKey = async (
  db: Db,
  bank: GrantedBank,
  { kind, number }: ResidentKeyNumber,
): Promise<KeyHolderRow | undefined> => (await listHoldersOfKeys(db, bank, [number])).find((row) => row.kind === kind);
