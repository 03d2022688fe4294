// Stores the held lines that the examples of the OpenAPI documents name: two uses by a key that nobody has.

import { takeLocks } from '../../src/database/locks.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { holdLines } from '../../src/features/inflow/queries/held-lines.ts';
import { advanceStream, streamLock } from '../../src/features/inflow/queries/streams.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { requireCoveredBank, requireWholeCoverage } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';

const deadlineMs = 10_000;
const bankId = 1001;
const epoch = '9f2c41d0';
const count = 2;

/** The lines before those of the example of SendStreamLines. */
export async function storeExampleHeldLines(database: TenantDatabase, tenant: string, now: number): Promise<void> {
  const bank = requireWholeCoverage(requireCoveredBank(createOperatorScope(tenant), { bankId }));
  const key = { bank, computerId: 1, stream: 'money' } as const;
  const unit = { bankId, locationId: 1, unitId: 1 };
  await database.write({ deadlineMs }, async (db) => {
    const [stream] = await takeLocks(db, [streamLock(key)]);
    const lines = Array.from({ length: count }, (_, index) => {
      const n = index + 1;
      const line = {
        n,
        t: 'use',
        at: formatUtc(now - n * 60_000),
        unit: 'sund-B1001-L1-U1',
        key: '04A2FFFF',
        amountMinor: '-1500',
        currency: 'DKK',
        text: 'Wash 60°',
        ref: `A-9917${n}`,
      };
      return { n, text: JSON.stringify(line), code: 'unknown-key' as const, reason: null, correctionMs: 0, unit };
    });
    await holdLines(db, key, lines, { epochNumber: stream.epoch_number, now });
    const added = { booked: 0, held: count, other: 0 };
    await advanceStream(db, key, { epoch, through: count, added, now });
  });
}
