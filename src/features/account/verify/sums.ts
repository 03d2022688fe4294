// Compares sums that are stored with those that the postings make.

import type { Db, Merging } from '../../../database/dialect.ts';
import type { Int64 } from '../../../lib/int64.ts';
import type { LedgerCheck, Posting } from './check.ts';

type Value = string | Int64;

export type StoredSums<Row extends Readonly<Record<string, Value>>> = {
  /** Of damage, and in the plural of what was looked at. */
  readonly name: string;
  readonly merging: Merging<keyof Row & string>;
  /** The rows that postings make. */
  of(postings: readonly Posting[]): Row[];
  /** All that are stored of a bank, a bounded stretch of the primary key at a time. */
  stored(db: Db, bankId: number): AsyncIterable<Row>;
};

export function sumsCheck<Row extends Readonly<Record<string, Value>>>(sums: StoredSums<Row>): LedgerCheck {
  const { key, adding, least = [], most = [] } = sums.merging;
  const spelled = (row: Row, columns: readonly (keyof Row & string)[]): string =>
    columns.map((column) => row[column]).join('/');
  const keyOf = (row: Row): string => spelled(row, key);
  const sumsOf = (row: Row): string => spelled(row, [...adding, ...least, ...most]);
  const each = (columns: readonly string[], row: Row, other: Row, of: (a: bigint, b: bigint) => bigint) =>
    columns.map((column) => [column, of(BigInt(row[column] ?? 0), BigInt(other[column] ?? 0))] as const);
  // Over some millions of postings the sums of the low halves pass 2^53.
  const together = (row: Row, other: Row): Row => ({
    ...row,
    ...Object.fromEntries([
      ...each(adding, row, other, (a, b) => a + b),
      ...each(least, row, other, (a, b) => (a < b ? a : b)),
      ...each(most, row, other, (a, b) => (a > b ? a : b)),
    ]),
  });
  return ({ db, bankId, tell }) => {
    const computed = new Map<string, Row>();
    const wrong = (at: string, stored: string | undefined, expected: string | undefined): void =>
      tell({ kind: sums.name, key: at, stored, computed: expected });
    return {
      postings: (rows) => {
        for (const row of sums.of(rows)) {
          const at = keyOf(row);
          const known = computed.get(at);
          computed.set(at, known === undefined ? row : together(known, row));
        }
      },
      end: async () => {
        const count = computed.size;
        for await (const row of sums.stored(db, bankId)) {
          const at = keyOf(row);
          const expected = computed.get(at);
          computed.delete(at);
          const [stored, summed] = [sumsOf(row), expected && sumsOf(expected)];
          if (summed !== stored) wrong(at, stored, summed);
        }
        for (const [at, row] of computed) wrong(at, undefined, sumsOf(row));
        return { [`${sums.name}s`]: count };
      },
    };
  };
}
