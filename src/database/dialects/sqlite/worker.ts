// The thread that owns one SQLite connection. It runs the statements it is sent, one after the other, and answers
// rows as arrays, which cross the thread boundary cheaper than objects.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Batch, Request, WorkerSettings } from './protocol.ts';

const { file, mode } = workerData as WorkerSettings;
const port = parentPort ?? missingPort();

function missingPort(): never {
  throw new Error('this module runs in a worker thread');
}

const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 });
database.exec('pragma journal_mode = wal');
database.exec(mode === 'write' ? 'pragma synchronous = full' : 'pragma query_only = on');
database.exec('pragma cache_size = -8192');
database.exec('pragma temp_store = memory');

// A native scan cannot be stopped from outside, but a thread that is being terminated refuses to enter JavaScript
// again: a query that calls this every now and then ends there.
database.function('alive', () => 1);

const maxStatements = 200;
const statements = new Map<string, { statement: StatementSync; columns: string[] }>();

function prepare(sql: string): { statement: StatementSync; columns: string[] } {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  statement.setReturnArrays(columns.length > 0);
  const oldest = statements.size < maxStatements ? undefined : statements.keys().next().value;
  if (oldest !== undefined) statements.delete(oldest);
  const prepared = { statement, columns };
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

// Nearly every integer fits a number, and numbers are several times cheaper to read and to post than bigints.
function readRows(statement: StatementSync, parameters: ReturnType<typeof bindable>[]): unknown[][] {
  try {
    return statement.all(...parameters) as unknown as unknown[][];
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

function execute({ sql, parameters }: Request): Result {
  const { statement, columns } = prepare(sql);
  const bound = parameters.map(bindable);
  if (columns.length > 0) return { columns, rows: readRows(statement, bound), changes: 0 };
  return { columns, rows: [], changes: Number(statement.run(...bound).changes) };
}

function answer(id: number, request: Request): Answer {
  try {
    return { id, ...execute(request) };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, error: { message, errcode } };
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
