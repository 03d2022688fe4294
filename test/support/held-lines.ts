// Inserts held lines of a computer of a test, and asks to resolve them.

import type { LockableDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import { holdLines } from '../../src/features/inflow/queries/held-lines.ts';
import { advanceStream, streamLock } from '../../src/features/inflow/queries/streams.ts';
import type { CallOptions, HttpReply } from './call.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';
import { testNow } from './times.ts';

export type HeldLineOptions = { readonly bankId?: number; readonly computerId?: number; readonly count?: number };

export const heldLineKid = (heldId: number, bankId = 1001): string => `sund-B${bankId}-H${heldId}`;

/** Payments without a key: they are held in the order of their numbers. */
export async function insertHeldLines(
  db: LockableDb,
  { bankId = 1001, computerId = 1, count = 1 }: HeldLineOptions = {},
): Promise<void> {
  const key = { bank: grantBank(bankId), computerId, stream: 'money' } as const;
  const [{ through, epoch_number: epochNumber }] = await takeLocks(db, [streamLock(key)]);
  const lines = Array.from({ length: count }, (_, at) => {
    const n = through + 1 + at;
    const line = { n, t: 'pay', at: '2026-06-15T09:00:00Z', amountMinor: '5000', currency: 'DKK', text: 'Payment' };
    return {
      n,
      text: JSON.stringify(line),
      code: 'unknown-key' as const,
      reason: null,
      correctionMs: 0,
      unit: undefined,
    };
  });
  await holdLines(db, key, lines, { epochNumber, now: testNow });
  const added = { booked: 0, held: count, other: 0 };
  await advanceStream(db, key, { epoch: 'e1', through: through + count, added, now: testNow });
}

export const resolveHeldLine = (
  { call }: Pick<TestService, 'call'>,
  kid: string,
  { body, ...options }: CallOptions,
): Promise<HttpReply> =>
  call('POST', `/api/v1/held-lines/${kid}/resolution`, {
    body: { action: 'accept', expectedRevision: '1', ...(body as object | undefined) },
    ...options,
  });
