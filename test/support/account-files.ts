// Requests and parses the account's files, and computes their expected rows with the oracle.

import assert from 'node:assert/strict';
import { formatAccountQuery } from './account-reads.ts';
import type { HttpReply } from './call.ts';
import { guardText, readCsvTable } from './csv.ts';
import {
  expectedAccount,
  instantOf,
  queryZone,
  type BankModel,
  type ExpectedEntry,
  type AccountQuery,
  type AccountViewer,
} from './account-oracle.ts';
import type { TestService } from './service.ts';

export type AccountFileFormat = 'csv' | 'xls';
export type AccountFileRow = Record<string, string>;

export const exportPath = ({ bankKid }: Pick<BankModel, 'bankKid'>, format: string, query = ''): string =>
  `/api/v1/banks/${bankKid}/account/export.${format}${query === '' ? '' : `?${query}`}`;

/** Requests a file and asserts success. */
export async function fetchAccountFile(
  service: Pick<TestService, 'call'>,
  token: string,
  book: BankModel,
  format: AccountFileFormat,
  question: AccountQuery,
  headers: Record<string, string> = {},
): Promise<HttpReply> {
  const reply = await service.call('GET', exportPath(book, format, formatAccountQuery(book, question)), {
    token,
    headers,
  });
  assert.equal(reply.status, 200, reply.text.slice(0, 500));
  return reply;
}

export const fetchAccountCsv = async (
  service: Pick<TestService, 'call'>,
  token: string,
  book: BankModel,
  question: AccountQuery,
): Promise<AccountFileRow[]> => readCsvTable((await fetchAccountFile(service, token, book, 'csv', question)).bytes);

/** The expected rows of a file by the oracle; document keys identify groups and are compared as such. */
export function expectedFileRows(
  book: BankModel,
  question: AccountQuery,
  viewer: AccountViewer,
  now: number,
): AccountFileRow[] {
  const { items } = expectedAccount(book, { ...question, Offset: 0, Limit: book.rows.length + 1 }, viewer, now);
  return items.map((entry) => fileRow(entry, queryZone(question)));
}

function fileRow(entry: ExpectedEntry, zone: string): AccountFileRow {
  const local = instantOf(entry.recordedAtMs2000).toZonedDateTimeISO(zone);
  const { reversible: _reversible, ...rest } = entry;
  const cells: Record<string, string | number | bigint | boolean | null> = {
    ...rest,
    recordedAtLocal: local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' }),
    amount: decimal(entry.amountMinor, entry.currency),
  };
  return Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, guardText(String(value ?? ''))]));
}

/** Amounts of the currencies that tests use, all of which have two decimals. */
export function decimal(minor: bigint, currency: string | null): string {
  if (currency === null || currency === '') return '';
  const size = minor < 0n ? -minor : minor;
  return `${minor < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

/** Compares rows; a document key in one file must match a group in the other. */
export function assertSameRows(actual: readonly AccountFileRow[], expected: readonly AccountFileRow[]): void {
  assert.equal(actual.length, expected.length);
  const keyPairs = new Map<string, string>();
  const learn = (from: string, to: string): void => {
    assert.equal(keyPairs.get(from) ?? to, to, 'a document key stands for one group, and a group has one key');
    keyPairs.set(from, to);
  };
  for (const [at, { documentKey: group = '', ...wanted }] of expected.entries()) {
    const { documentKey = '', ...found } = actual[at] ?? {};
    learn(`key ${documentKey}`, `group ${group}`);
    learn(`group ${group}`, `key ${documentKey}`);
    assert.deepEqual(found, wanted);
  }
}
