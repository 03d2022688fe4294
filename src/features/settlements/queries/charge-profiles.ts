// Reads and writes by which profile the charges of a bank are written.

import type { Db, WriteDb } from '../../../database/db.ts';
import { replaceRows } from '../../../database/statements/insert-rows.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export type ChargeProfile = {
  /** The name of a profile of charges. */
  readonly profile: string;
  /** Whose keys of residents the charges name: the name of the profile of their imports. */
  readonly keySource: string;
};

/** Undefined if none is set. */
export const findChargeProfile = (db: Db, { bankId }: GrantedBank): Promise<ChargeProfile | undefined> =>
  db
    .selectFrom('charge_profiles')
    .select(['profile', 'key_source as keySource'])
    .where('bank_id', '=', bankId)
    .executeTakeFirst();

/** Null: none is set any more. */
export async function storeChargeProfile(
  db: WriteDb,
  { bankId }: GrantedBank,
  wanted: ChargeProfile | null,
): Promise<void> {
  if (wanted === null) await db.deleteFrom('charge_profiles').where('bank_id', '=', bankId).execute();
  else
    await replaceRows(db, 'charge_profiles', [
      { bank_id: bankId, profile: wanted.profile, key_source: wanted.keySource },
    ]);
}
