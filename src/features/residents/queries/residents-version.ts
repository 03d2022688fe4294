// Counts the changes to a bank's residents. Revisions and caches of data that shows identities depend on the count.

import { createLock, type Lock } from '../../../database/locks.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

/** The topic of commits that changed residents of a bank. */
export const residentsTopic = (bankId: number): string => `residents/${bankId}`;

/** Every write that changes what other operations show of a resident declares it. Taking it announces the change. */
export const residentsLock = ({ bankId }: GrantedBank): Lock<void> =>
  createLock('residents', [bankId], {
    update: (db) => {
      db.changedTopics.add(residentsTopic(bankId));
      return db
        .updateTable('banks')
        .set((eb) => ({ residents_version: eb('residents_version', '+', 1) }))
        .where('bank_id', '=', bankId)
        .execute();
    },
  });
