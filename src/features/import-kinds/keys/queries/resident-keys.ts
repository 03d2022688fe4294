// Reads all keys of a bank, for an export.

import type { Db } from '../../../../database/db.ts';
import type { Tables } from '../../../../database/tables.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';

export type StoredResidentKey = Pick<Tables['resident_keys'], 'resident_id' | 'key_number' | 'kind' | 'added_at'>;

type KeyPosition = { readonly residentId: number; readonly number: string };

/** The next keys of residents who are not deleted and whose identities have not expired, in the order of the residents and the numbers. */
export const listKeysAfter = (
  db: Db,
  { bankId }: GrantedBank,
  { residentId, number, limit, now }: KeyPosition & { readonly limit: number; readonly now: number },
): Promise<StoredResidentKey[]> =>
  db
    .selectFrom('resident_keys as k')
    .innerJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'k.bank_id').onRef('r.resident_id', '=', 'k.resident_id'),
    )
    .select(['k.resident_id', 'k.key_number', 'k.kind', 'k.added_at'])
    .where('k.bank_id', '=', bankId)
    .where('r.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('r.expired_at', 'is', null), eb('r.expired_at', '>', now)]))
    .where((eb) =>
      eb.or([
        eb('k.resident_id', '>', residentId),
        eb.and([eb('k.resident_id', '=', residentId), eb('k.key_number', '>', number)]),
      ]),
    )
    .orderBy('k.resident_id')
    .orderBy('k.key_number')
    .limit(limit)
    .execute();
