// Settlements: asked for, and computed from the postings one by one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { parseExactAmounts } from './exact-amounts.ts';
import { readZip } from './archives.ts';
import type { HttpReply } from './call.ts';
import { readCsvTable } from './csv.ts';
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
  book: BankModel,
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

// Sums are taken in halves, as they can pass 64 bits.
const script = `
import csv, hashlib, io, json, sqlite3, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
db = sqlite3.connect(':memory:')
files = []
for name in archive.namelist():
  if not name.endswith('.csv'): continue
  content = archive.read(name)
  rows = list(csv.reader(io.StringIO(content.decode('utf-8-sig'), newline=''), strict=True))
  table = name[:-4]
  db.execute('create table %s (%s)' % (table, ', '.join('"%s" text' % each for each in rows[0])))
  db.executemany('insert into %s values (%s)' % (table, ', '.join('?' * len(rows[0]))), rows[1:])
  files.append({'name': name, 'rows': len(rows) - 1, 'bytes': len(content), 'sha256': hashlib.sha256(content).hexdigest()})
amount = 'cast(amountMinor as integer)'
def sums(table, key, condition):
  query = 'select %s, count(*), sum(%s / 4294967296), sum(%s %% 4294967296) from %s where %s group by %s'
  return {row[:-3]: (row[-3], row[-2] * 4294967296 + row[-1]) for row in
    db.execute(query % (key, amount, amount, table, condition, key))}
every, debit, credit = [sums('postings', 'currency', each) for each in ('1', amount + ' < 0', amount + ' > 0')]
totals = [[key[0], every[key][0], str(debit.get(key, (0, 0))[1]), str(credit.get(key, (0, 0))[1]), str(every[key][1])]
  for key in sorted(every, key=lambda key: key[0] or '~')]
residents = [[*key, value[0], str(value[1])] for key, value in sums('postings', 'userKid, currency', '1').items()]
json.dump({'files': files, 'totals': totals, 'residents': residents}, sys.stdout)
`;

export type RecomputedArchive = {
  readonly files: ArchiveManifest['files'];
  /** currency, count, debit, credit, amount */
  readonly totals: [string, number, string, string, string][];
  /** userKid, currency, count, amount */
  readonly residents: [string, string, number, string][];
};

/** What SQLite makes of the CSVs in an archive. */
export const recomputeWithSqlite = (archive: Buffer): RecomputedArchive =>
  JSON.parse(
    execFileSync('python3', ['-c', script], { input: archive, maxBuffer: 2 ** 30 }).toString('utf8'),
  ) as RecomputedArchive;
