// The end of a read on SQLite waits a moment to be sent with the next statement, and is sent by itself if none follows.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabases } from '../../src/database/databases.ts';

test('a snapshot is released even if nothing follows, and closing does not wait for it (sqlite)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'portal-test-'));
  const databases = openDatabases({ engine: 'sqlite', directory });
  try {
    await databases.migrate('sund');
    const database = databases.forTenant('sund');
    const beats = () =>
      database.read({ deadlineMs: 5000 }, (db) => db.selectFrom('health').selectAll().executeTakeFirst());
    const beat = () =>
      database.write({ deadlineMs: 5000 }, (db) => sql`update health set beats = beats + 1`.execute(db));
    const other = new DatabaseSync(join(directory, 'sund.sqlite'));
    for (let round = 0; round < 3; round += 1) {
      await beats();
      await beat();
      // A reader that still holds its snapshot prevents the truncation of the log.
      const isEmptied = (): boolean => other.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
      const until = performance.now() + 5000;
      while (!isEmptied()) {
        assert.ok(performance.now() < until, 'the snapshot was let go of');
        await pause(5);
      }
    }
    other.close();
    await beats();
  } finally {
    await databases.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
