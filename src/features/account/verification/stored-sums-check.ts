// Compares sums that are stored with those that the postings make.

import type { Db, UpsertColumns } from '../../../database/db.ts';
import type { Int64 } from '../../../lib/int64.ts';
import type { LedgerCheck, StoredPosting } from './ledger-check.ts';

type ColumnValue = string | Int64;

export type StoredSumsCheckOptions<Row extends Readonly<Record<string, ColumnValue>>> = {
  /** Of damage, and in the plural of what was looked at. */
  readonly rowName: string;
  readonly upsertColumns: UpsertColumns<keyof Row & string>;
  /** The rows that postings make. */
  computeRows(postings: readonly StoredPosting[]): Row[];
  /** All that are stored of a bank, a bounded stretch of the primary key at a time. */
  streamStoredRows(db: Db, bankId: number): AsyncIterable<Row>;
};

export function createStoredSumsCheck<Row extends Readonly<Record<string, ColumnValue>>>(
  sums: StoredSumsCheckOptions<Row>,
): LedgerCheck {
  const { key, sum, min = [], max = [] } = sums.upsertColumns;
  const joinColumns = (row: Row, columns: readonly (keyof Row & string)[]): string =>
    columns.map((column) => row[column]).join('/');
  const formatKey = (row: Row): string => joinColumns(row, key);
  const formatSums = (row: Row): string => joinColumns(row, [...sum, ...min, ...max]);
  const mergeColumns = (columns: readonly string[], row: Row, other: Row, of: (a: bigint, b: bigint) => bigint) =>
    columns.map((column) => [column, of(BigInt(row[column] ?? 0), BigInt(other[column] ?? 0))] as const);
  // Over some millions of postings the sums of the low halves pass 2^53.
  const mergeRows = (row: Row, other: Row): Row => ({
    ...row,
    ...Object.fromEntries([
      ...mergeColumns(sum, row, other, (a, b) => a + b),
      ...mergeColumns(min, row, other, (a, b) => (a < b ? a : b)),
      ...mergeColumns(max, row, other, (a, b) => (a > b ? a : b)),
    ]),
  });
  return ({ db, bankId, report }) => {
    const computed = new Map<string, Row>();
    const reportRow = (at: string, stored: string | undefined, expected: string | undefined): void =>
      report({ kind: sums.rowName, key: at, stored, computed: expected });
    return {
      postings: (rows) => {
        for (const row of sums.computeRows(rows)) {
          const at = formatKey(row);
          const known = computed.get(at);
          computed.set(at, known === undefined ? row : mergeRows(known, row));
        }
      },
      end: async () => {
        const count = computed.size;
        for await (const row of sums.streamStoredRows(db, bankId)) {
          const at = formatKey(row);
          const expected = computed.get(at);
          computed.delete(at);
          const [stored, summed] = [formatSums(row), expected && formatSums(expected)];
          if (summed !== stored) reportRow(at, stored, summed);
        }
        for (const [at, row] of computed) reportRow(at, undefined, formatSums(row));
        return { [`${sums.rowName}s`]: count };
      },
    };
  };
}
