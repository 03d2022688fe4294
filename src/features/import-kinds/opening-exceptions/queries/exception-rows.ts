// Reads opening exceptions of a bank.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import type { BankKey } from '../../../../permissions/coverage.ts';

/** Lists the exceptions of all locations of the bank, or of these, and of their units. */
export const listExceptionRows = (db: Db, { bankId }: BankKey, locationIds?: readonly number[]) =>
  locationIds?.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('opening_exceptions')
        .select(['location_id', 'unit_id', 'day', 'intervals', 'text'])
        .where('bank_id', '=', bankId)
        .$if(locationIds !== undefined, (query) =>
          query.where(db.dialect.inList(sql.ref<number>('location_id'), locationIds ?? [])),
        )
        .orderBy('location_id')
        .orderBy('unit_id')
        .orderBy('day')
        .execute();

export type StoredExceptionRow = Awaited<ReturnType<typeof listExceptionRows>>[number];
