// Imports as many postings as its argument says into an empty ledger, in transactions of one batch each. Inserts the same
// rows with only node:sqlite into a table with the same indexes as well, and prints what both took.

import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLocks } from '../../src/database/locks.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import type { ApplicableRow, KeyedRow, RowValues } from '../../src/features/import-kinds/import-kind.ts';
import { answerEach } from '../../src/features/import-kinds/rules/answers.ts';
import { postingsKind } from '../../src/features/import-kinds/postings/postings.ts';
import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../../test/support/factories.ts';
import { findRows, importActor, importTarget, keyedRows } from '../../test/support/import-kinds.ts';
import { findLedgerDifferences } from '../../test/support/ledger-checks.ts';
import { openTestDatabase, sqliteFile } from '../../test/support/test-database.ts';
import { testNow } from '../../test/support/times.ts';

const count = Number(process.argv[2]);
const batch = Number(process.argv[3] ?? 1000);
const [bankId, residents, locations, unitsOfLocation] = [1001, 2000, 12, 10];
const firstResident = 20_001;
const target = importTarget(bankId);
const deadline = { deadlineMs: 60_000 };
/** Three years of a bank with a million postings. */
const everyMs = 94_000;

const test = await openTestDatabase('sqlite');
try {
  await insertBank(test.database);
  const bare = openBareInsert(sqliteFile(test.location));
  const imported = await importPostings(test.database, bare);
  bare.close();
  // Before the ledger is verified.
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const differences = await test.database.read({ deadlineMs: 3_600_000 }, (db) => findLedgerDifferences(db, bankId));
  process.stdout.write(`${JSON.stringify({ ...imported, megabytes, differences: differences.length })}\n`);
} finally {
  await test.close();
}
// Until it is stopped.
setInterval(() => {}, 1000);

async function insertBank(database: TenantDatabase): Promise<void> {
  const unitIds = Array.from({ length: unitsOfLocation }, (_, at) => at + 1);
  const places = Object.fromEntries(Array.from({ length: locations }, (_, at) => [at + 1, unitIds]));
  await database.write(deadline, async (db) => {
    await insertTestBank(db, { bankId, places });
    await insertResidents(
      db,
      bankId,
      Array.from({ length: residents }, (_, at) => ({
        bank_id: bankId,
        resident_id: firstResident + at,
        location_id: 1,
        name: `Demo Resident ${at}`,
        language: 'en',
      })),
    );
  });
}

/**
 * The seconds of all transactions, of 95 of 100, and of the longest one, and those of inserting the same rows bare, batch by batch: what
 * else the machine does slows both down.
 */
async function importPostings(database: TenantDatabase, bare: BareInsert) {
  let [seconds, applySeconds, bareSeconds] = [0, 0, 0];
  const transactions: number[] = [];
  for (let first = 0; first < count; first += batch) {
    const given = Array.from({ length: Math.min(batch, count - first) }, (_, at) => [
      `P-${first + at}`,
      rowAt(first + at),
    ]);
    const rows = keyedRows(postingsKind, target, Object.fromEntries(given) as Record<string, RowValues>);
    const began = performance.now();
    let appliedFrom = began;
    // As an import does: what there is of the rows is found once more under the locks.
    const applied = await database.write(deadline, async (db) => {
      await takeLocks(db, postingsKind.locks(target));
      const found = await findRows(db, postingsKind, target, rows);
      if (found.some(({ current, errors }) => current !== null || errors.length > 0))
        throw new Error('a row is refused');
      appliedFrom = performance.now();
      const created = rows.map(toCreated);
      return [...answerEach(created, await postingsKind.apply(db, importActor(), target, created)).values()];
    });
    const ended = performance.now();
    if (applied.some((row) => 'errors' in row)) throw new Error('a row was refused');
    seconds += (ended - began) / 1000;
    applySeconds += (ended - appliedFrom) / 1000;
    transactions.push((ended - began) / 1000);
    bareSeconds += bare.insertAfter(first);
  }
  const sorted = transactions.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return { seconds, applySeconds, p95, longest: sorted.at(-1) ?? 0, bareSeconds };
}

function toCreated(row: KeyedRow): ApplicableRow {
  return { ...row, current: null };
}

/** In order of time, of residents and units in turn. */
function rowAt(at: number): RowValues {
  const unit = at % (locations * unitsOfLocation);
  const isPayment = at % 20 === 0;
  return {
    at: formatUtc(testNow - (count - at) * everyMs),
    resident: `sund-B${bankId}-R${firstResident + ((at * 7919) % residents)}`,
    unit: isPayment ? '' : `sund-B${bankId}-L${1 + (unit % locations)}-U${1 + Math.floor(unit / locations)}`,
    kind: isPayment ? 'Payment' : 'Consumption',
    amount: String(isPayment ? 20_000 : -500 - (at % 50) * 25),
    text: isPayment ? 'Payment by card' : 'Wash at 60 degrees',
    document: isPayment ? '' : String(at),
  };
}

type BareInsert = { insertAfter(postingId: number): number; close(): void };

/** Each call inserts the rows of a batch, and returns the seconds that this took without reading them. */
function openBareInsert(source: string): BareInsert {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bare-'));
  const from = new DatabaseSync(source, { readOnly: true, readBigInts: true, returnArrays: true });
  const to = new DatabaseSync(join(directory, 'bare.sqlite'));
  to.exec('pragma journal_mode = wal; pragma synchronous = full');
  const schema = from.prepare(
    `select sql from sqlite_master where tbl_name = 'postings' and sql is not null order by type desc`,
  );
  for (const [statement] of schema.all() as unknown as [string][]) to.exec(statement);
  const columns = from.prepare('select * from postings').columns().length;
  const insert = to.prepare(`insert into postings values (${Array.from({ length: columns }, () => '?').join()})`);
  const page = from.prepare('select * from postings where bank_id = ? and posting_id > ? order by posting_id limit ?');
  return {
    insertAfter: (postingId) => {
      const rows = page.all(bankId, postingId, batch) as unknown as SQLInputValue[][];
      const began = performance.now();
      to.exec('begin immediate');
      for (const row of rows) insert.run(...row);
      to.exec('commit');
      return (performance.now() - began) / 1000;
    },
    close: () => {
      from.close();
      to.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
