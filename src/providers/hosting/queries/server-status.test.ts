// What a server reports about itself, if it does not report everything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { readServerStatus } from './server-status.ts';

test('[metrics.10] a count of connections that the server does not report is null, and not zero', async () => {
  // With this driver no query returns rows.
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new MysqlIntrospector(each),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  });
  assert.equal((await readServerStatus(db as Db)).connections, null);
});
