// What a request asks of the database, statement by statement, and how the engine goes about each.

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Databases } from '../../src/database/databases.ts';
import type { Db } from '../../src/database/dialect.ts';
import { startInstance } from './instances.ts';
import type { Service } from './service.ts';

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** A table, by the name it has in the statement, and the index that leads to its rows; undefined where none does. */
export type Step = { readonly table: string; readonly index: string | undefined; readonly told: string };

export type Watch = {
  /** What a GET reads that is 200. */
  statementsOf(path: string, token: string): Promise<Statement[]>;
  planOf(statement: Statement): Promise<Step[]>;
  stop(): Promise<void>;
};

/** Another application over the databases of the service, each of whose reads is written down. */
export async function watchReads(service: Service): Promise<Watch> {
  let asked: Statement[] = [];
  const { databases } = service.services;
  const watched = await startInstance(service, {
    databases: watching(databases, (statement) => asked.push(statement)),
  });
  return {
    statementsOf: async (path, token) => {
      // The first call reads the session, too.
      await watched.call('GET', path, { token });
      asked = [];
      const { status } = await watched.call('GET', path, { token });
      assert.equal(status, 200, path);
      return asked;
    },
    planOf: (statement) => databases.of('sund').read({ deadlineMs: 30_000 }, (db) => explain(db, statement)),
    stop: watched.stop,
  };
}

const watching = (databases: Databases, writeDown: (statement: Statement) => void): Databases => ({
  ...databases,
  of: (tenant) => ({
    ...databases.of(tenant),
    read: (options, work) =>
      databases.of(tenant).read(options, (db) => {
        const executor = db.getExecutor();
        const executeQuery = executor.executeQuery.bind(executor);
        executor.executeQuery = (query, ...rest) => {
          writeDown(query);
          return executeQuery(query, ...rest);
        };
        // What is prepared passes the executor by.
        const { execute } = db;
        const writingDown: typeof execute = (text, parameters) => {
          writeDown({ sql: text, parameters });
          return execute(text, parameters);
        };
        return work(Object.assign(db, { execute: writingDown }));
      }),
  }),
});

async function explain(db: Db, { sql: text, parameters }: Statement): Promise<Step[]> {
  const [head = '', ...rest] = text.split('?');
  const filled = rest.map((part, at) => sql`${parameters[at]}${sql.raw(part)}`);
  const words = db.words.engine === 'sqlite' ? 'explain query plan' : 'explain';
  const query = sql<Record<string, unknown>>`${sql.raw(`${words} ${head}`)}${sql.join(filled, sql``)}`;
  const { rows } = await query.execute(db);
  return rows.flatMap(db.words.engine === 'sqlite' ? sqliteStep : mysqlStep);
}

function sqliteStep({ detail }: Record<string, unknown>): Step[] {
  const told = String(detail);
  const [, table, rest = ''] = /^(?:SEARCH|SCAN) (\w+)(.*)$/.exec(told) ?? [];
  const [, named, key] = /USING (?:(?:COVERING )?INDEX (\w+)|(PRIMARY KEY))/.exec(rest) ?? [];
  return table === undefined ? [] : [{ table, index: named ?? (key === undefined ? undefined : 'PRIMARY'), told }];
}

function mysqlStep(row: Record<string, unknown>): Step[] {
  const { table, key, type } = row;
  if (typeof table !== 'string' || table.startsWith('<')) return [];
  // A whole index is no way to a row.
  const index = typeof key === 'string' && type !== 'index' ? key : undefined;
  return [{ table, index, told: JSON.stringify(row) }];
}
