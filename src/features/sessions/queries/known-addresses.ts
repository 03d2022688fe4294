// Reads and stores the addresses from which managers have logged in. Reads whom a login names, with those addresses.

import type { Db, WriteDb } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { ManagerCredentials } from '../../managers/queries/manager-credentials.ts';
import { hashAddress, knownAddressLifetimeMs, maxKnownAddresses } from '../rules/known-address.ts';

type KnownAddressInput = {
  readonly managerId: number;
  readonly credentialStamp: string;
  readonly address: string;
  /** MS2000. */
  readonly now: number;
};

/** Whether the manager has logged in from the address before. */
export async function isKnownAddress(
  db: Db,
  { managerId, credentialStamp, address, now }: KnownAddressInput,
): Promise<boolean> {
  const row = await db
    .selectFrom('manager_addresses')
    .select('manager_id')
    .where('manager_id', '=', managerId)
    .where('address_hash', '=', hashAddress(credentialStamp, address))
    .where('last_login_at', '>', now - knownAddressLifetimeMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the address of a login. Deletes the manager's expired addresses, and the oldest beyond the maximum. */
export async function storeKnownAddress(
  db: WriteDb,
  { managerId, credentialStamp, address, now, isKnown }: KnownAddressInput & { readonly isKnown: boolean },
): Promise<void> {
  const addressHash = hashAddress(credentialStamp, address);
  const expiredUntil = now - knownAddressLifetimeMs;
  const firstTooMany = isKnown ? undefined : await findFirstTooMany(db, managerId, addressHash);
  const until = Math.max(expiredUntil, firstTooMany?.last_login_at ?? expiredUntil);
  const deleted = runPrepared(db, 'delete known addresses', { managerId, addressHash, until }, (bind) =>
    db
      .deleteFrom('manager_addresses')
      .where('manager_id', '=', bind<number>('managerId'))
      .where('address_hash', '<>', bind<string>('addressHash'))
      .where('last_login_at', '<=', bind<number>('until')),
  );
  const row = { manager_id: managerId, address_hash: addressHash, last_login_at: now };
  const stored = db.dialect.upsertRows(db, 'manager_addresses', [row], {
    key: ['manager_id', 'address_hash'],
    sum: [],
    max: ['last_login_at'],
  });
  await Promise.all([deleted, stored]);
}

/** The newest address that the new one displaces. */
const findFirstTooMany = (db: Db, managerId: number, addressHash: string) =>
  db
    .selectFrom('manager_addresses')
    .select('last_login_at')
    .where('manager_id', '=', managerId)
    .where('address_hash', '<>', addressHash)
    .orderBy('last_login_at', 'desc')
    .limit(1)
    .offset(maxKnownAddresses - 1)
    .executeTakeFirst();

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
