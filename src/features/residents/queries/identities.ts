// Reads the names of residents and when their identities expired.

import type { RawBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

type ResidentIdentity = { readonly name: string; readonly expiredAt: number | null };
/** By resident id. */
export type ResidentIdentities = ReadonlyMap<number, ResidentIdentity>;

/** The identities of a bank's residents, or of one of them. */
export async function readResidentIdentities(
  db: Db,
  { bankId }: GrantedBank,
  residentId?: number,
): Promise<ResidentIdentities> {
  const all = db.selectFrom('residents').select(['resident_id', 'name', 'expired_at']).where('bank_id', '=', bankId);
  const rows = await (residentId === undefined ? all : all.where('resident_id', '=', residentId)).execute();
  return new Map(rows.map(({ resident_id, name, expired_at }) => [resident_id, { name, expiredAt: expired_at }]));
}

/** Whether the identity of a resident has expired. False for a user who is not a resident. */
export async function hasIdentityExpired(
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('residents')
    .select('expired_at')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where('expired_at', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}

type ExpiryParameters = { readonly bankId: RawBuilder<number>; readonly now: RawBuilder<number> };

/** The expired identities of a bank, as a part of other queries. */
export const selectExpiredIdentities = (db: Db, { bankId, now }: ExpiryParameters) =>
  db.selectFrom('residents').where('residents.bank_id', '=', bankId).where('expired_at', '<=', now);
