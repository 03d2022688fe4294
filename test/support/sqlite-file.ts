// The SQLite file of the tenant `sund` of a service under test.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestService } from './service.ts';

type Service = Pick<TestService, 'dependencies'>;

export function sqliteFileOf({ dependencies: { config } }: Service): string {
  assert.ok(config.storage.engine === 'sqlite');
  return join(config.storage.directory, 'sund.sqlite');
}

/** A connection besides those of the service. */
export const openSqliteFile = (service: Service): DatabaseSync =>
  new DatabaseSync(sqliteFileOf(service), { timeout: 5000 });
