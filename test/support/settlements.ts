// Requests settlements, and computes them from the postings one by one.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { parseExactAmounts } from './exact-amounts.ts';
import { readZip } from './archives.ts';
import type { HttpReply } from './call.ts';
import { parseCsv, readCsvTable } from './csv.ts';
import { expectedTotals, formatUtc, openPeriodNumber, type BankModel, type ModelPosting } from './account-oracle.ts';
import type { TestService } from './service.ts';

export const settlementsPath = ({ bankKid }: Pick<BankModel, 'bankKid'>, rest = ''): string =>
  `/api/v1/banks/${bankKid}/settlements${rest}`;
export const archivePath = (book: Pick<BankModel, 'bankKid'>, period: number | string): string =>
  settlementsPath(book, `/${period}/download.zip`);

export type SettlementTotal = ReturnType<typeof expectedTotals>[number];

/** The rows of a period as clients number it. */
export const postingsOfPeriod = (book: BankModel, period: number): ModelPosting[] =>
  book.rows.filter((row) => row.period === (period === 0 ? openPeriodNumber(book) : period));

/** What a settlement is; `closeBook` closes a second after the period's end. */
export function expectedItem(book: BankModel, period: number) {
  const closed = book.periods.find((each) => each.period === period);
  return {
    period,
    fromUtc: formatUtc(closed?.from ?? book.openedAt),
    throughUtc: closed === undefined ? null : formatUtc(closed.through),
    closedAtUtc: closed === undefined ? null : formatUtc(closed.through + 1000),
    provisional: period === 0,
    totals: expectedTotals(postingsOfPeriod(book, period)),
    downloadable: period !== 0,
  };
}

const kinds = ['Consumption', 'Booking', 'Month', 'Payment', 'Credit', 'Discount', 'TransferToRent', 'Unknown'];

export function expectedPeriod(book: BankModel, period: number) {
  const rows = postingsOfPeriod(book, period);
  const ids = [...new Set(rows.map(({ locationId }) => locationId))].toSorted((a, b) => (a || 1e9) - (b || 1e9));
  return {
    timeZone: 'Europe/Copenhagen',
    ...expectedItem(book, period),
    locations: ids.map((id) => ({
      kid: id === 0 ? null : `${book.bankKid}-L${id}`,
      name: book.locations.find((each) => each.id === id)?.name ?? '',
      totals: expectedTotals(rows.filter(({ locationId }) => locationId === id)),
    })),
    kinds: kinds
      .map((kind) => ({ kind, totals: expectedTotals(rows.filter((row) => row.kind === kind)) }))
      .filter(({ totals }) => totals.length > 0),
  };
}

type SettlementCaller = Pick<TestService, 'call'>;

/** Asks and insists on 200; the amounts as the bigints that their digits spell. */
export async function fetchSettlements<T>(service: SettlementCaller, token: string, path: string): Promise<T> {
  const reply = await service.call('GET', path, { token });
  assert.equal(reply.status, 200, reply.text);
  return parseExactAmounts(reply.text) as T;
}

export async function downloadArchive(
  service: SettlementCaller,
  token: string,
  book: Pick<BankModel, 'bankKid'>,
  period: number,
): Promise<HttpReply> {
  const reply = await service.call('GET', archivePath(book, period), { token });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

export type ArchiveManifest = {
  readonly bankKid: string;
  readonly period: number;
  readonly fromUtc: string;
  readonly throughUtc: string;
  readonly totals: SettlementTotal[];
  readonly files: { name: string; rows: number; bytes: number; sha256: string }[];
};

/** An archive's files, by their names. */
export function readArchive(archive: Buffer) {
  const files = readZip(archive);
  const bytesOf = (name: string): Buffer => files.find((each) => each.name === name)?.bytes ?? Buffer.alloc(0);
  return {
    names: files.map(({ name }) => name),
    times: files.map(({ time }) => time),
    postings: readCsvTable(bytesOf('postings.csv')),
    residents: readCsvTable(bytesOf('residents.csv')),
    totals: readCsvTable(bytesOf('totals.csv')),
    manifest: parseExactAmounts(bytesOf('manifest.json').toString('utf8')) as ArchiveManifest,
  };
}

export type RecomputedArchive = {
  readonly files: ArchiveManifest['files'];
  /** currency, count, debit, credit, amount */
  readonly totals: [string, number, string, string, string][];
  /** userKid, currency, count, amount */
  readonly residents: [string, string, number, string][];
};

/** What SQLite makes of the CSVs in an archive. */
export function recomputeWithSqlite(archive: Buffer): RecomputedArchive {
  const database = new DatabaseSync(':memory:');
  try {
    const files = readZip(archive)
      .filter(({ name }) => name.endsWith('.csv'))
      .map(({ name, bytes }) => {
        const rows = importCsv(database, name.replace('.csv', ''), bytes);
        return { name, rows, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
      });
    const every = sumBy(database, 'currency', 'true');
    const debit = sumBy(database, 'currency', 'amount < 0');
    const credit = sumBy(database, 'currency', 'amount > 0');
    const currencies = [...every.keys()].toSorted((a, b) => ((a || '~') < (b || '~') ? -1 : 1));
    return {
      files,
      totals: currencies.map((currency) => [
        currency,
        every.get(currency)?.count ?? 0,
        String(debit.get(currency)?.amount ?? 0n),
        String(credit.get(currency)?.amount ?? 0n),
        String(every.get(currency)?.amount),
      ]),
      residents: [...sumBy(database, "userKid || ' ' || currency", 'true')].map(([key, { count, amount }]) => {
        const [userKid = '', currency = ''] = key.split(' ');
        return [userKid, currency, count, String(amount)];
      }),
    };
  } finally {
    database.close();
  }
}

/** Makes a table of texts; answers how many rows it has. */
function importCsv(database: DatabaseSync, table: string, bytes: Buffer): number {
  const [columns = [], ...rows] = parseCsv(bytes);
  database.exec(`create table ${table} (${columns.map((name) => `"${name}" text`).join()})`);
  const insert = database.prepare(`insert into ${table} values (${columns.map(() => '?').join()})`);
  database.exec('begin');
  for (const row of rows) insert.run(...row);
  database.exec('commit');
  return rows.length;
}

/** Sums of the postings are taken in halves, as they can pass 64 bits. */
function sumBy(database: DatabaseSync, key: string, condition: string) {
  const select = database.prepare(`
    select key, count(*) as count, sum(amount / 4294967296) as high, sum(amount % 4294967296) as low
    from (select ${key} as key, cast(amountMinor as integer) as amount from postings) where ${condition} group by key`);
  select.setReadBigInts(true);
  const rows = select.all() as { key: string; count: bigint; high: bigint; low: bigint }[];
  return new Map(
    rows.map(({ key: of, count, high, low }) => [of, { count: Number(count), amount: high * 4_294_967_296n + low }]),
  );
}
