// What equipment sends, for benchmarks that store it in their own process, and the computer that sends it to a service.

import { openDatabases } from '../../src/database/databases.ts';
import type { LockableDb } from '../../src/database/db.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { parseStorage } from '../../src/setting-parsers.ts';
import { insertEnrolledComputer } from '../../test/support/enrolled-computers.ts';
import { grantBank } from '../../test/support/granted-banks.ts';

export const writeAll = <T>(database: TenantDatabase, work: (db: LockableDb) => Promise<T>): Promise<T> =>
  database.write({ deadlineMs: 60_000 }, work);

/** Appends uses of ten machines by forty residents, ten seconds apart, so many at each call. */
export function createAppender(database: TenantDatabase, count: number): () => Promise<unknown> {
  let at = toMs2000(Date.now());
  const createDraft = (_: unknown, index: number): PostingDraft => ({
    recordedAt: (at += 10_000),
    locationId: 1,
    unitId: 1 + (index % 10),
    residentId: 1001 + (index % 40),
    kind: 'Consumption',
    currency: 'DKK',
    amountMinor: BigInt(-1000 - index),
    vatMinor: -20n,
    documentId: index,
    text: 'Wash at 60 degrees',
  });
  return () =>
    writeAll(database, (db) => lockAndAppendPostings(db, grantBank(1001), Array.from({ length: count }, createDraft)));
}

/** Enrols a computer that has the first unit of the first bank. Returns its key. */
export async function insertBenchComputer(storage: string): Promise<string> {
  const databases = openDatabases(parseStorage(storage));
  try {
    const computer = { bankId: 1001, computerId: 900, name: 'bench', units: [[1, 1]] as [number, number][] };
    return await writeAll(databases.forTenant('sund'), (db) => insertEnrolledComputer(db, computer));
  } finally {
    await databases.close();
  }
}
