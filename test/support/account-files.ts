// The account's files: asked for, read back, and what the oracle says that they must hold.

import assert from 'node:assert/strict';
import { queryOf } from './account.ts';
import type { Reply } from './call.ts';
import { readTable } from './csv.ts';
import { answerOf, instantOf, zoneOf, type Book, type Entry, type Question, type Viewer } from './oracle.ts';
import type { Service } from './service.ts';

export type Format = 'csv' | 'xls';
export type FileRow = Record<string, string>;

export const exportPath = ({ bankKid }: Pick<Book, 'bankKid'>, format: string, query = ''): string =>
  `/api/v1/banks/${bankKid}/account/export.${format}${query === '' ? '' : `?${query}`}`;

/** Asks for a file and insists on it. */
export async function askFile(
  service: Pick<Service, 'call'>,
  token: string,
  book: Book,
  format: Format,
  question: Question,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await service.call('GET', exportPath(book, format, queryOf(book, question)), { token, headers });
  assert.equal(reply.status, 200, reply.text.slice(0, 500));
  return reply;
}

export const askCsv = async (
  service: Pick<Service, 'call'>,
  token: string,
  book: Book,
  question: Question,
): Promise<FileRow[]> => readTable((await askFile(service, token, book, 'csv', question)).bytes);

/** The rows that the oracle says a file has; document keys stand for groups and are compared as such. */
export function expectedFile(book: Book, question: Question, viewer: Viewer, now: number): FileRow[] {
  const { items } = answerOf(book, { ...question, Offset: 0, Limit: book.rows.length + 1 }, viewer, now);
  return items.map((entry) => fileRow(entry, zoneOf(question)));
}

function fileRow(entry: Entry, zone: string): FileRow {
  const local = instantOf(entry.recordedAtMs2000).toZonedDateTimeISO(zone);
  const { reversible: _reversible, ...rest } = entry;
  const cells: Record<string, string | number | bigint | boolean | null> = {
    ...rest,
    recordedAtLocal: local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }),
    amount: decimal(entry.amountMinor, entry.currency),
  };
  return Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, guarded(value)]));
}

/** Amounts of the currencies that tests use, all of which have two decimals. */
function decimal(minor: bigint, currency: string | null): string {
  if (currency === null) return '';
  const size = minor < 0n ? -minor : minor;
  return `${minor < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

function guarded(value: string | number | bigint | boolean | null): string {
  const text = String(value ?? '');
  return /^[=@\t\r]|^[+-](?!\d+(?:\.\d+)?$)/.test(text) ? `'${text}` : text;
}

/** Compares rows, where a document key in one file stands for a group in the other. */
export function assertRows(actual: readonly FileRow[], expected: readonly FileRow[]): void {
  assert.equal(actual.length, expected.length);
  const learned = new Map<string, string>();
  const learn = (from: string, to: string): void => {
    assert.equal(learned.get(from) ?? to, to, 'a document key stands for one group, and a group has one key');
    learned.set(from, to);
  };
  for (const [at, { documentKey: group = '', ...wanted }] of expected.entries()) {
    const { documentKey = '', ...found } = actual[at] ?? {};
    learn(`key ${documentKey}`, `group ${group}`);
    learn(`group ${group}`, `key ${documentKey}`);
    assert.deepEqual(found, wanted);
  }
}
