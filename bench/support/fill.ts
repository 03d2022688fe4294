// More postings in the demo banks, put in before the service starts: a resident with very many and one with a usual
// number, entries that can be reversed, and a closed settlement period of the second bank.

import { openDatabases } from '../../src/database/databases.ts';
import type { WriteDb } from '../../src/database/dialect.ts';
import { closePeriod, recordPostings, type PostingDraft } from '../../src/features/account/ledger.ts';
import { toMs2000 } from '../../src/lib/ms2000.ts';

export const busyResident = 90_001;
export const usualResident = 90_002;
export const busyPostings = 50_000;
const usualPostings = 500;
const reversingResident = 90_003;
const minuteMs = 60_000;

export type Filled = {
  /** The first of the entries that can be reversed; the others follow it. */
  readonly firstReversible: number;
  readonly reversible: number;
  /** The period of the second bank that holds `inPeriod` postings. */
  readonly period: number;
};

/** `directory` is that of the SQLite files. */
export async function fill(directory: string, inPeriod: number): Promise<Filled> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  try {
    const database = databases.of('sund');
    const write = <T>(work: (db: WriteDb) => Promise<T>): Promise<T> => database.write({ deadlineMs: 60_000 }, work);
    const now = toMs2000(Date.now());
    await write((db) => insertResidents(db, [busyResident, usualResident, reversingResident]));
    const reversible = 20_000;
    const firstReversible = await write((db) =>
      recordPostings(db, 1001, drafts(reversible, { userId: reversingResident, at: now, internalTag: 7 })),
    );
    for (const [userId, count, everyMs] of [
      // A receipt holds what was posted on a day, and at most a thousand documents.
      [busyResident, busyPostings, 3 * minuteMs],
      [usualResident, usualPostings, 12 * 60 * minuteMs],
    ] as const)
      await write((db) => recordPostings(db, 1001, drafts(count, { userId, at: now - minuteMs, everyMs })));
    const batch = 10_000;
    for (let done = 0; done < inPeriod; done += batch)
      await write((db) => recordPostings(db, 1002, drafts(batch, { userId: 1001, at: now - done })));
    const period = await write((db) => closePeriod(db, 1002, now + minuteMs, now + minuteMs));
    return { firstReversible, reversible, period };
  } finally {
    await databases.close();
  }
}

async function insertResidents(db: WriteDb, ids: readonly number[]): Promise<void> {
  const plain = { apartment: '', email: '', phone: '', language: 'en', enabled: 1, deleted_at: null, expired_at: null };
  for (const id of ids)
    await db
      .insertInto('residents')
      .values({ bank_id: 1001, resident_id: id, location_id: 1, name: `Demo Resident ${id}`, revision: 1, ...plain })
      .execute();
}

function drafts(
  count: number,
  {
    userId,
    at,
    everyMs = minuteMs,
    internalTag = null,
  }: { userId: number; at: number; everyMs?: number; internalTag?: number | null },
): PostingDraft[] {
  return Array.from({ length: count }, (_, each) => ({
    recordedAt: at - each * everyMs,
    locationId: 1,
    unitId: 1,
    userId,
    kind: 'Consumption',
    currency: 'DKK',
    amountMinor: BigInt(-100 - (each % 50)),
    vatMinor: -20n,
    documentId: each + 1,
    text: 'Wash at 60 degrees',
    internalTag,
  }));
}
