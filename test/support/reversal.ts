// Requests reversals, and reads every row that one could have changed.

import type { Tables } from '../../src/database/tables.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';
import { readTableRows, type TableRows } from './table-rows.ts';

export const reversalPath = (postingId: number | bigint, bankId = 1001, query = ''): string =>
  `/api/v1/banks/sund-B${bankId}/account/sund-B${bankId}-X${postingId}/reversal${query}`;

export const reverseEntry = (
  { call }: Pick<TestService, 'call'>,
  postingId: number,
  { bankId = 1001, query = '', ...options }: CallOptions & { bankId?: number; query?: string },
): Promise<HttpReply> => call('POST', reversalPath(postingId, bankId, query), options);

/** The text that a dry run answers where the real reversal answers this. */
export const toDryRunText = ({ status, text }: HttpReply): string =>
  status === 200 ? text.replace(/^\{"kid":"[^"]*"/, '{"kid":null').replace(/\}$/, ',"dryRun":true}') : text;

type Reader = Pick<TestService, 'read'>;

export const ledgerTables = [
  'postings',
  'posting_rollups',
  'resident_rollups',
  'ledgers',
  'settlement_periods',
  'device_sync',
  'device_sync_heads',
] as const;

/** Every row of a bank that a write to its ledger could change. */
export const readLedgerRows = ({ read }: Reader, bankId = 1001): Promise<TableRows> =>
  read('sund', (db) => readTableRows(db, ledgerTables, bankId));

export const readPostings = ({ read }: Reader, bankId = 1001): Promise<Tables['postings'][]> =>
  read('sund', (db) =>
    db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id').execute(),
  );

export const readDeviceSync = ({ read }: Reader, bankId = 1001): Promise<Tables['device_sync'][]> =>
  read('sund', (db) =>
    db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).orderBy('sync_id').execute(),
  );
