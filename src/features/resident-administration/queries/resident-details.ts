// Reads the keys and the activation code of a resident.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export type ResidentKeyRow = Pick<Tables['resident_keys'], 'key_number' | 'kind' | 'added_at'>;

/** In the order in which they were added. */
export const listKeys = (db: Db, { bankId }: GrantedBank, residentId: number): Promise<ResidentKeyRow[]> =>
  db
    .selectFrom('resident_keys')
    .select(['key_number', 'kind', 'added_at'])
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .orderBy('added_at')
    .orderBy('key_number')
    .execute();

/** The keys of many residents, in the order of their numbers. */
export const listKeysOfResidents = (
  db: Db,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
): Promise<(ResidentKeyRow & { readonly resident_id: number })[]> =>
  residentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('resident_keys')
        .select(['resident_id', 'key_number', 'kind', 'added_at'])
        .where('bank_id', '=', bankId)
        .where(db.dialect.inList(sql.ref('resident_id'), residentIds))
        .orderBy('key_number')
        .execute();

type ActivationRow = Pick<Tables['resident_activations'], 'code' | 'created_at' | 'used_at'>;

/** The last code; undefined if there never was one. */
export const findActivation = (
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
): Promise<ActivationRow | undefined> =>
  db
    .selectFrom('resident_activations')
    .select(['code', 'created_at', 'used_at'])
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .executeTakeFirst();

/** The times at which a command has changed the resident since an instant, oldest first. */
export async function listCommandTimes(
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
  { command, since }: { readonly command: string; readonly since: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('resident_history')
    .select('changed_at')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where('command', '=', command)
    .where('changed_at', '>', since)
    .orderBy('revision')
    .execute();
  return rows.map(({ changed_at }) => changed_at);
}
