// How a test asks for a reversal, and all that one could have changed.

import { sql } from 'kysely';
import type { Db } from '../../src/database/dialect.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { CallOptions, Reply } from './call.ts';
import type { Service } from './service.ts';

export const reversalPath = (postingId: number | bigint, bankId = 1001, query = ''): string =>
  `/api/v1/banks/sund-B${bankId}/account/sund-B${bankId}-X${postingId}/reversal${query}`;

export const reverse = (
  { call }: Pick<Service, 'call'>,
  postingId: number,
  { bankId = 1001, query = '', ...options }: CallOptions & { bankId?: number; query?: string },
): Promise<Reply> => call('POST', reversalPath(postingId, bankId, query), options);

const tables = [
  'postings',
  'posting_rollups',
  'resident_rollups',
  'ledgers',
  'settlement_periods',
  'device_sync',
  'device_sync_heads',
] as const;

/** Every row of a bank that a write to its ledger could touch, as text. */
export function ledgerOf({ services }: Pick<Service, 'services'>, bankId = 1001): Promise<Record<string, string[]>> {
  return services.databases.of('sund').read({ deadlineMs: 30_000 }, async (db) => {
    const all: Record<string, string[]> = {};
    for (const table of tables) {
      const { rows } = await sql<object>`select * from ${sql.table(table)} where bank_id = ${bankId}`.execute(db);
      all[table] = rows.map((row) => Object.values(row).map(String).join('|')).toSorted();
    }
    return all;
  });
}

const readIn = <T>({ services }: Pick<Service, 'services'>, work: (db: Db) => Promise<T>): Promise<T> =>
  services.databases.of('sund').read({ deadlineMs: 30_000 }, work);

export const storedPostings = (service: Pick<Service, 'services'>, bankId = 1001): Promise<Tables['postings'][]> =>
  readIn(service, (db) =>
    db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id').execute(),
  );

export const storedSyncs = (service: Pick<Service, 'services'>, bankId = 1001): Promise<Tables['device_sync'][]> =>
  readIn(service, (db) =>
    db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).orderBy('sync_id').execute(),
  );
