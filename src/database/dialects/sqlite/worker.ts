// The thread that owns one SQLite connection. It runs statements one after the other and answers rows as arrays, which
// are cheaper to send than objects.

import type { StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabaseFile } from './database-file.ts';
import type { StatementAnswer, StatementBatch, StatementRequest, SqliteWorkerSettings } from './protocol.ts';

const port = parentPort ?? throwMissingPort();

function throwMissingPort(): never {
  throw new Error('this module runs in a worker thread');
}

const { database, throwIfReplaced } = openDatabaseFile(workerData as SqliteWorkerSettings);

// A native scan cannot be stopped from outside, but a thread that is being terminated cannot enter JavaScript again: a query
// that calls this function regularly ends there.
database.function('alive', () => 1);

const maxCachedStatements = 200;
type CachedStatement = { readonly statement: StatementSync; columns: string[]; readonly rerunnable: boolean };
const statementCache = new Map<string, CachedStatement>();

function prepareStatement(sql: string): CachedStatement {
  const cached = statementCache.get(sql);
  if (cached !== undefined) return cached;
  const statement = database.prepare(sql);
  const columns = readColumnNames(statement);
  statement.setReturnArrays(columns.length > 0);
  const oldest = statementCache.size < maxCachedStatements ? undefined : statementCache.keys().next().value;
  if (oldest !== undefined) statementCache.delete(oldest);
  const prepared = { statement, columns, rerunnable: /^\s*select\b/i.test(sql) };
  statementCache.set(sql, prepared);
  return prepared;
}

const readColumnNames = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name);

// A number would be bound as a REAL, whose arithmetic is not exact.
function toBindable(value: unknown): null | number | bigint | string | Uint8Array {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (Number.isInteger(value)) return BigInt(value as number);
  return value as null | number | bigint | string | Uint8Array;
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

// Nearly every integer fits a number, and numbers are several times cheaper to read and to post than bigints. Only reads are
// run a second time where one does not fit.
function readRows(
  { statement, rerunnable }: CachedStatement,
  parameters: ReturnType<typeof toBindable>[],
): unknown[][] {
  try {
    if (rerunnable) return statement.all(...parameters) as unknown as unknown[][];
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
  }
  statement.setReadBigInts(true);
  try {
    const rows = statement.all(...parameters) as unknown as unknown[][];
    for (const row of rows) for (const [index, value] of row.entries()) row[index] = toSafeNumber(value);
    return rows;
  } finally {
    statement.setReadBigInts(false);
  }
}

function toSafeNumber(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

type ExecutionResult = { columns: string[]; rows: unknown[][]; changes: number };

const beginStatements = new Set(['begin', 'begin immediate']);

// The error with which the transaction could not begin, or with which SQLite gave it up by itself, a full disk say. What
// comes after it would run outside of any transaction, and stay.
let aborted: unknown;

function executeStatement({ sql, parameters }: StatementRequest): ExecutionResult {
  if (sql === 'rollback') {
    aborted = undefined;
    if (!database.isTransaction) return { columns: [], rows: [], changes: 0 };
  }
  if (aborted !== undefined) throw aborted;
  if (!database.isTransaction) throwIfReplaced();
  const prepared = prepareStatement(sql);
  const { statement } = prepared;
  const bound = parameters.map(toBindable);
  if (prepared.columns.length === 0) return { columns: [], rows: [], changes: Number(statement.run(...bound).changes) };
  const rows = readRows(prepared, bound);
  // Where a `*` is in it, SQLite gives a statement the columns that a later version has added meanwhile.
  if (rows[0] !== undefined && rows[0].length !== prepared.columns.length)
    prepared.columns = readColumnNames(statement);
  return { columns: prepared.columns, rows, changes: 0 };
}

function answerStatement(id: number, request: StatementRequest): StatementAnswer {
  const inTransaction = database.isTransaction;
  const hadEnded = aborted !== undefined;
  try {
    return { id, ...executeStatement(request) };
  } catch (error) {
    if (inTransaction && !database.isTransaction) aborted = error;
    const endedTransaction = error === aborted;
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, error: { message, errcode, endedTransaction, isRefused: hadEnded && endedTransaction } };
  }
}

/** The statements of a transaction that could not begin tell why; any other failure ends the thread. */
function executeUnanswered(request: StatementRequest): void {
  try {
    executeStatement(request);
  } catch (error) {
    if (!beginStatements.has(request.sql)) throw error;
    aborted = error;
  }
}

port.on('message', (batch: StatementBatch | 'close') => {
  if (batch === 'close') {
    database.close();
    port.close();
    return;
  }
  const answers: StatementAnswer[] = [];
  for (const request of batch) {
    if (request.id === undefined) executeUnanswered(request);
    else answers.push(answerStatement(request.id, request));
  }
  if (answers.length > 0) port.postMessage(answers);
});

// It answers nothing: the file is open.
port.postMessage([] satisfies StatementAnswer[]);
