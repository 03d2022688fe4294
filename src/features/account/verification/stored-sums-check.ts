// Checks stored sums against those computed from the postings.

import type { Db, UpsertColumns } from '../../../database/db.ts';
import type { Int64 } from '../../../lib/values/int64.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { streamResidentRollups, streamRollups } from '../queries/ledger-verification.ts';
import { computeResidentRollups, residentRollupUpsertColumns } from '../rules/resident-rollups.ts';
import { computeRollups, rollupUpsertColumns } from '../rules/rollups.ts';
import type { LedgerCheck, StoredPosting } from './ledger-check.ts';

type SumRow = Readonly<Record<string, string | Int64>>;

type StoredSumsCheckOptions<Row extends SumRow> = {
  /** The kind of a difference and, in the plural, of what is counted. */
  readonly rowName: string;
  readonly upsertColumns: UpsertColumns<keyof Row & string>;
  computeRows(postings: readonly StoredPosting[]): Row[];
  /** Every stored row of a bank, read in batches. */
  streamStoredRows(db: Db, bank: WholeGrantedBank): AsyncIterable<Row>;
};

function createStoredSumsCheck<Row extends SumRow>(options: StoredSumsCheckOptions<Row>): LedgerCheck {
  const { rowName, upsertColumns, computeRows, streamStoredRows } = options;
  const { key: keyColumns, sum, min = [], max = [] } = upsertColumns;
  const formatKey = (row: Row): string => formatColumns(row, keyColumns);
  const formatSums = (row: Row): string => formatColumns(row, [...sum, ...min, ...max]);
  return ({ db, bank }) => {
    const computedRows = new Map<string, Row>();
    let count = 0;
    return {
      checkPostings(rows) {
        for (const row of computeRows(rows)) {
          const key = formatKey(row);
          const known = computedRows.get(key);
          computedRows.set(key, known === undefined ? row : mergeRows(known, row, upsertColumns));
        }
        return [];
      },
      async *finish() {
        count = computedRows.size;
        for await (const row of streamStoredRows(db, bank)) {
          const key = formatKey(row);
          const computedRow = computedRows.get(key);
          computedRows.delete(key);
          const [stored, computed] = [formatSums(row), computedRow && formatSums(computedRow)];
          if (computed !== stored) yield { kind: rowName, key, stored, computed };
        }
        for (const [key, row] of computedRows)
          yield { kind: rowName, key, stored: undefined, computed: formatSums(row) };
      },
      counts: () => ({ [`${rowName}s`]: count }),
    };
  };
}

const formatColumns = <Row extends SumRow>(row: Row, columns: readonly (keyof Row & string)[]): string =>
  columns.map((column) => row[column]).join('/');

function mergeRows<Row extends SumRow>(
  row: Row,
  other: Row,
  { sum, min = [], max = [] }: UpsertColumns<keyof Row & string>,
): Row {
  // The sums are bigint: over some millions of postings the sums of the low halves exceed 2^53.
  const merge = (columns: readonly string[], combine: (a: bigint, b: bigint) => bigint) =>
    columns.map((column) => [column, combine(BigInt(row[column] ?? 0), BigInt(other[column] ?? 0))] as const);
  return {
    ...row,
    ...Object.fromEntries([
      ...merge(sum, (a, b) => a + b),
      ...merge(min, (a, b) => (a < b ? a : b)),
      ...merge(max, (a, b) => (a > b ? a : b)),
    ]),
  };
}

export const rollupCheck = createStoredSumsCheck({
  rowName: 'roll-up',
  upsertColumns: rollupUpsertColumns,
  computeRows: computeRollups,
  streamStoredRows: streamRollups,
});

export const residentRollupCheck = createStoredSumsCheck({
  rowName: 'resident roll-up',
  upsertColumns: residentRollupUpsertColumns,
  computeRows: computeResidentRollups,
  streamStoredRows: streamResidentRollups,
});
