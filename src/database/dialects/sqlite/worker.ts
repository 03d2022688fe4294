// The thread that owns one SQLite connection. It runs the statements it is sent, one after the other, and answers
// rows as arrays, which cross the thread boundary cheaper than objects.

import type { StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openFile } from './file.ts';
import type { Answer, Batch, Request, WorkerSettings } from './protocol.ts';

const port = parentPort ?? missingPort();

function missingPort(): never {
  throw new Error('this module runs in a worker thread');
}

const { database, refuseWhereReplaced } = openFile(workerData as WorkerSettings);

// A native scan cannot be stopped from outside, but a thread that is being terminated refuses to enter JavaScript
// again: a query that calls this every now and then ends there.
database.function('alive', () => 1);

const maxStatements = 200;
type Statement = { readonly statement: StatementSync; readonly columns: string[]; readonly rerunnable: boolean };
const statements = new Map<string, Statement>();

function prepare(sql: string): Statement {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  statement.setReturnArrays(columns.length > 0);
  const oldest = statements.size < maxStatements ? undefined : statements.keys().next().value;
  if (oldest !== undefined) statements.delete(oldest);
  const prepared = { statement, columns, rerunnable: /^\s*select\b/i.test(sql) };
  statements.set(sql, prepared);
  return prepared;
}

// A number would be bound as a REAL, whose arithmetic is not exact.
function bindable(value: unknown): null | number | bigint | string | Uint8Array {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (Number.isInteger(value)) return BigInt(value as number);
  return value as null | number | bigint | string | Uint8Array;
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

// Nearly every integer fits a number, and numbers are several times cheaper to read and to post than bigints. What
// does more than read is not run twice to find that out.
function readRows({ statement, rerunnable }: Statement, parameters: ReturnType<typeof bindable>[]): unknown[][] {
  try {
    if (rerunnable) return statement.all(...parameters) as unknown as unknown[][];
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
  }
  statement.setReadBigInts(true);
  try {
    const rows = statement.all(...parameters) as unknown as unknown[][];
    for (const row of rows) for (const [at, value] of row.entries()) row[at] = narrow(value);
    return rows;
  } finally {
    statement.setReadBigInts(false);
  }
}

function narrow(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

type Result = { columns: string[]; rows: unknown[][]; changes: number };

const begins = new Set(['begin', 'begin immediate']);

// The error with which SQLite gave up the transaction by itself, a full disk say. What comes after it would run
// outside of any transaction, and stay.
let lost: unknown;

function execute({ sql, parameters }: Request): Result {
  if (sql === 'rollback') {
    lost = undefined;
    if (!database.isTransaction) return { columns: [], rows: [], changes: 0 };
  }
  if (lost !== undefined) throw lost;
  if (begins.has(sql)) refuseWhereReplaced();
  const prepared = prepare(sql);
  const { statement, columns } = prepared;
  const bound = parameters.map(bindable);
  if (columns.length > 0) return { columns, rows: readRows(prepared, bound), changes: 0 };
  return { columns, rows: [], changes: Number(statement.run(...bound).changes) };
}

function answer(id: number, request: Request): Answer {
  const inTransaction = database.isTransaction;
  try {
    return { id, ...execute(request) };
  } catch (error) {
    const endedTransaction = inTransaction && !database.isTransaction;
    if (endedTransaction) lost = error;
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, error: { message, errcode, endedTransaction } };
  }
}

port.on('message', (batch: Batch | 'close') => {
  if (batch === 'close') {
    database.close();
    port.close();
    return;
  }
  const answers: Answer[] = [];
  for (const request of batch) {
    if (request.id === undefined) execute(request);
    else answers.push(answer(request.id, request));
  }
  if (answers.length > 0) port.postMessage(answers);
});
