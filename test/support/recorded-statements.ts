// Records the statements of a request, and how the engine executes each.

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Databases } from '../../src/database/databases.ts';
import type { Db } from '../../src/database/db.ts';
import { startInstance } from './instances.ts';
import type { TestService } from './service.ts';

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** A table, by the name it has in the statement, and the index that leads to its rows; undefined where none does. */
export type QueryPlanStep = { readonly table: string; readonly index: string | undefined; readonly planText: string };

export type ReadRecorder = {
  /** What a GET reads that is 200. */
  statementsOf(path: string, token: string): Promise<Statement[]>;
  /** What a public GET reads that is 200, the first time. */
  firstStatementsOf(path: string): Promise<Statement[]>;
  planOf(statement: Statement): Promise<QueryPlanStep[]>;
  stop(): Promise<void>;
};

/** Another application over the databases of the service, each of whose reads is written down. */
export async function startReadRecorder(service: TestService): Promise<ReadRecorder> {
  let asked: Statement[] = [];
  const { databases } = service.dependencies;
  const watched = await startInstance(service, {
    databases: recordReads(databases, (statement) => asked.push(statement)),
  });
  const firstStatementsOf = async (path: string, token?: string): Promise<Statement[]> => {
    asked = [];
    const { status } = await watched.call('GET', path, { token });
    assert.equal(status, 200, path);
    return asked;
  };
  return {
    statementsOf: async (path, token) => {
      // The first call reads the session, too.
      await watched.call('GET', path, { token });
      return firstStatementsOf(path, token);
    },
    firstStatementsOf: (path) => firstStatementsOf(path),
    planOf: (statement) =>
      databases.forTenant('sund').read({ deadlineMs: 30_000 }, (db) => explainStatement(db, statement)),
    stop: watched.stop,
  };
}

type RecordStatement = (statement: Statement) => void;

const recordReads = (databases: Databases, record: RecordStatement): Databases => ({
  ...databases,
  forTenant: (tenant) => {
    const database = databases.forTenant(tenant);
    return { ...database, read: (options, work) => database.read(options, (db) => work(recordFrom(db, record))) };
  },
});

/** Of reads and writes. */
export const recordStatements = (databases: Databases, record: RecordStatement): Databases => ({
  ...recordReads(databases, record),
  forTenant: (tenant) => {
    const database = recordReads(databases, record).forTenant(tenant);
    return { ...database, write: (options, work) => database.write(options, (db) => work(recordFrom(db, record))) };
  },
});

function recordFrom<D extends Db>(db: D, record: RecordStatement): D {
  const executor = db.getExecutor();
  const executeQuery = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    record(query);
    return executeQuery(query, ...rest);
  };
  // Prepared statements bypass the executor.
  const { execute } = db;
  const writingDown: typeof execute = (text, parameters) => {
    record({ sql: text, parameters });
    return execute(text, parameters);
  };
  return Object.assign(db, { execute: writingDown });
}

async function explainStatement(db: Db, { sql: text, parameters }: Statement): Promise<QueryPlanStep[]> {
  const [firstPart = '', ...rest] = text.split('?');
  const filled = rest.map((part, at) => sql`${parameters[at]}${sql.raw(part)}`);
  const explainKeyword = db.dialect.engine === 'sqlite' ? 'explain query plan' : 'explain';
  const query = sql<Record<string, unknown>>`${sql.raw(`${explainKeyword} ${firstPart}`)}${sql.join(filled, sql``)}`;
  const { rows } = await query.execute(db);
  return rows.flatMap(db.dialect.engine === 'sqlite' ? sqliteStep : mysqlStep);
}

function sqliteStep({ detail }: Record<string, unknown>): QueryPlanStep[] {
  const told = String(detail);
  const [, table, rest = ''] = /^(?:SEARCH|SCAN) (\w+)(.*)$/.exec(told) ?? [];
  const [, named, key] = /USING (?:(?:COVERING )?INDEX (\w+)|(PRIMARY KEY))/.exec(rest) ?? [];
  return table === undefined
    ? []
    : [{ table, index: named ?? (key === undefined ? undefined : 'PRIMARY'), planText: told }];
}

function mysqlStep(row: Record<string, unknown>): QueryPlanStep[] {
  const { table, key, type } = row;
  if (typeof table !== 'string' || table.startsWith('<')) return [];
  // A scan of a whole index does not count as access by index.
  const index = typeof key === 'string' && type !== 'index' ? key : undefined;
  return [{ table, index, planText: JSON.stringify(row) }];
}
