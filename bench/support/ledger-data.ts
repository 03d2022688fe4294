// Adds postings to the demo banks before the service starts: a few residents with very many postings and two thousand
// with a usual number, entries that can be reversed, and a closed settlement period of the second bank.

import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';
import { openDatabases } from '../../src/database/databases.ts';
import type { LockableDb } from '../../src/database/db.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { grantBank } from '../../test/support/granted-banks.ts';

export const busyResident = 90_001;
export const exportedResident = 90_002;
export const busyPostings = 50_000;
const exportedPostings = 65_535;
/** Residents with a usual number of postings each, which alternate in time. */
export const usualResidents = { first: 20_001, count: 2000 };
const usualPostings = 500;
const reversingResident = 90_003;
const minuteMs = 60_000;

export type LedgerData = {
  /** The first of the entries that can be reversed; the others follow it. */
  readonly firstReversible: number;
  readonly reversible: number;
  /** The first of a few more entries. */
  readonly spareReversible: number;
  /** The period of the second bank that holds `inPeriod` postings. */
  readonly period: number;
};

/** `directory` is that of the SQLite files. */
export async function insertLedgerData(directory: string, inPeriod: number): Promise<LedgerData> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  try {
    const database = databases.forTenant('sund');
    const write = <T>(work: (db: LockableDb) => Promise<T>): Promise<T> => database.write({ deadlineMs: 60_000 }, work);
    const now = toMs2000(Date.now());
    // The receipts of the busiest resident show all of its postings, which reach further back than those of the demo.
    await write((db) =>
      db.updateTable('tenant_settings').set({ value: '400' }).where('name', '=', 'surveillanceRetentionDays').execute(),
    );
    await write((db) =>
      insertUsualResidents(db, [busyResident, exportedResident, reversingResident, ...usualResidentIds()]),
    );
    const [reversible, spare] = [20_000, 100];
    const firstReversible = await write((db) =>
      lockAndAppendPostings(
        db,
        grantBank(1001),
        createDrafts(reversible + spare, { residentId: reversingResident, at: now, internalTag: 7 }),
      ),
    );
    for (const [residentId, count, everyMs] of [
      // A receipt holds what was posted on a day, and at most a thousand documents.
      [busyResident, busyPostings, 3 * minuteMs],
      [exportedResident, exportedPostings, 3 * minuteMs],
    ] as const)
      await write((db) =>
        lockAndAppendPostings(db, grantBank(1001), createDrafts(count, { residentId, at: now - minuteMs, everyMs })),
      );
    for (const some of createUsualDrafts(now)) await write((db) => lockAndAppendPostings(db, grantBank(1001), some));
    const batch = 10_000;
    for (let done = 0; done < inPeriod; done += batch)
      await write((db) =>
        lockAndAppendPostings(db, grantBank(1002), createDrafts(batch, { residentId: 1001, at: now - done })),
      );
    const period = await write((db) => lockAndClosePeriod(db, grantBank(1002), now + minuteMs, now + minuteMs));
    return { firstReversible, reversible, spareReversible: firstReversible + reversible, period };
  } finally {
    await databases.close();
  }
}

const usualResidentIds = (): number[] =>
  Array.from({ length: usualResidents.count }, (_, at) => usualResidents.first + at);

/** Two a day for each resident, oldest first, so that no resident's postings are adjacent. */
function* createUsualDrafts(now: number): Generator<PostingDraft[]> {
  const everyMs = 12 * 60 * minuteMs;
  for (let ago = usualPostings; ago > 0; ago -= 1)
    yield usualResidentIds().flatMap((residentId, at) =>
      createDrafts(1, { residentId, at: now - ago * everyMs + at * 1000, documentId: usualPostings - ago }),
    );
}

async function insertUsualResidents(db: LockableDb, ids: readonly number[]): Promise<void> {
  await insertResidents(
    db,
    1001,
    ids.map((id) => ({
      bank_id: 1001,
      resident_id: id,
      location_id: 1,
      name: `Demo Resident ${id}`,
      language: 'en',
    })),
  );
}

function createDrafts(
  count: number,
  {
    residentId,
    at,
    everyMs = minuteMs,
    internalTag = null,
    documentId = 1,
  }: { residentId: number; at: number; everyMs?: number; internalTag?: number | null; documentId?: number },
): PostingDraft[] {
  return Array.from({ length: count }, (_, each) => ({
    recordedAt: at - each * everyMs,
    locationId: 1,
    unitId: 1,
    residentId,
    kind: 'Consumption',
    currency: 'DKK',
    amountMinor: BigInt(-100 - (each % 50)),
    vatMinor: -20n,
    documentId: documentId + each,
    text: 'Wash at 60 degrees',
    internalTag,
  }));
}
