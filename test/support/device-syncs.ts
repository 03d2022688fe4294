// Records for devices that a device has refused, and the request that sends one again.

import type { WriteDb } from '../../src/database/db.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';

/** A record of resident 1001 for unit 1 of location 1; returns its id. */
export async function insertFailedSync(db: WriteDb, bankId: number): Promise<number> {
  const heads = [{ bank_id: bankId, queued: 1 }];
  await db.dialect.upsertRows(db, 'device_sync_heads', heads, { key: ['bank_id'], sum: ['queued'] });
  const { queued: syncId } = await db
    .selectFrom('device_sync_heads')
    .select('queued')
    .where('bank_id', '=', bankId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('device_sync')
    .values({
      bank_id: bankId,
      sync_id: syncId,
      subject_kind: 'resident',
      subject_id: 1001,
      location_id: 1,
      unit_id: 1,
      state: 'failed',
      attempts: 1,
      created_at: 0,
      updated_at: 0,
      detail: null,
      code: 'E12',
    })
    .execute();
  return syncId;
}

export const retryDeviceSync = (
  { call }: Pick<TestService, 'call'>,
  syncId: number,
  { bankId = 1001, ...options }: CallOptions & { readonly bankId?: number },
): Promise<HttpReply> =>
  call('POST', `/api/v1/banks/sund-B${bankId}/device-syncs/${syncId}/retry`, { body: {}, ...options });
