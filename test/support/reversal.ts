// How a test asks for a reversal, and all that one could have changed.

import { sql } from 'kysely';
import type { Db } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';

export const reversalPath = (postingId: number | bigint, bankId = 1001, query = ''): string =>
  `/api/v1/banks/sund-B${bankId}/account/sund-B${bankId}-X${postingId}/reversal${query}`;

export const reverseEntry = (
  { call }: Pick<TestService, 'call'>,
  postingId: number,
  { bankId = 1001, query = '', ...options }: CallOptions & { bankId?: number; query?: string },
): Promise<HttpReply> => call('POST', reversalPath(postingId, bankId, query), options);

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
export function readLedgerRows(
  { services }: Pick<TestService, 'services'>,
  bankId = 1001,
): Promise<Record<string, string[]>> {
  return services.databases.forTenant('sund').read({ deadlineMs: 30_000 }, async (db) => {
    const all: Record<string, string[]> = {};
    for (const table of tables) {
      const { rows } = await sql<object>`select * from ${sql.table(table)} where bank_id = ${bankId}`.execute(db);
      all[table] = rows.map((row) => Object.values(row).map(String).join('|')).toSorted();
    }
    return all;
  });
}

const readDatabase = <T>({ services }: Pick<TestService, 'services'>, work: (db: Db) => Promise<T>): Promise<T> =>
  services.databases.forTenant('sund').read({ deadlineMs: 30_000 }, work);

export const readPostings = (service: Pick<TestService, 'services'>, bankId = 1001): Promise<Tables['postings'][]> =>
  readDatabase(service, (db) =>
    db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id').execute(),
  );

export const readDeviceSync = (
  service: Pick<TestService, 'services'>,
  bankId = 1001,
): Promise<Tables['device_sync'][]> =>
  readDatabase(service, (db) =>
    db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).orderBy('sync_id').execute(),
  );
