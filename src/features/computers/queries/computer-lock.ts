// The lock of a computer: its code, its keys and its revocation change one after another.

import { sql } from 'kysely';
import { createLock, type Lock } from '../../../database/locks.ts';

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
