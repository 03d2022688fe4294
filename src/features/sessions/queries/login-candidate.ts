// Reads the credentials and the known addresses that a login is checked against.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { ManagerCredentials } from '../../managers/queries/manager-credentials.ts';
import { knownAddressLifetimeMs } from '../rules/known-address.ts';

type LoginCandidateRow = ManagerCredentials & {
  /** The hash of an address from which the manager has logged in; null if there is none. */
  readonly address_hash: string | null;
};

/**
 * Reads one row for each known address of the manager, but at least one, in a single statement. Returns no rows if
 * there is no such manager.
 */
export const listLoginCandidate = (db: Db, userNameKey: string, now: number): Promise<LoginCandidateRow[]> =>
  runPrepared(db, 'login candidate', { userNameKey, after: now - knownAddressLifetimeMs }, (bind) =>
    db
      .selectFrom('managers as m')
      .leftJoin('manager_addresses as a', (join) =>
        join.onRef('a.manager_id', '=', 'm.manager_id').on('a.last_login_at', '>', bind<number>('after')),
      )
      .select(['m.manager_id', 'm.password_hash', 'm.credential_stamp', 'm.active', 'm.deleted_at', 'a.address_hash'])
      .where('m.user_name_key', '=', bind<string>('userNameKey')),
  );
