// The last contacts of demo devices on both engines: one statement reads the table that it updates.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openMigratedDatabases, readRows, type MigratedDatabases } from '../support/demo-database.ts';
import { insertTestBank } from '../support/factories.ts';
import { onBothEngines } from '../support/service.ts';
import { refreshLastContacts } from '../../src/demo/places/last-contacts.ts';
import { hourMs } from '../../src/lib/durations.ts';

const first = 800_000_000_000;

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund');
  });
  after(() => opened.release());

  test("devices that were online at the latest contact get a new contact, by their bank's limit", async () => {
    const database = opened.databases.forTenant('sund');
    const silences = [0, hourMs - 1, hourMs, 24 * hourMs - 1, 24 * hourMs];
    await database.write({ deadlineMs: 5000 }, async (db) => {
      for (const [bankId, type] of [
        [1001, 1],
        [1002, 2],
        [1003, 9],
      ] as const) {
        await insertTestBank(db, { bankId, places: { 1: [1, 2, 3, 4, 5, 6, 7] } });
        await db.updateTable('banks').set({ bank_type: type }).where('bank_id', '=', bankId).execute();
        for (const [at, silent] of silences.entries())
          await db
            .updateTable('units')
            .set({ last_contact_at: first - silent })
            .where('bank_id', '=', bankId)
            .where('unit_id', '=', at + 1)
            .execute();
        const deleted = { last_contact_at: first, deleted_at: 1 };
        await db.updateTable('units').set(deleted).where('bank_id', '=', bankId).where('unit_id', '=', 7).execute();
      }
    });
    // A month later, and again an hour after that.
    for (const now of [first + 720 * hourMs, first + 721 * hourMs]) {
      await database.write({ deadlineMs: 5000 }, (db) => refreshLastContacts(db, now));
      const heard = await readRows(
        database,
        sql<{ bank_id: number; unit_id: number }>`select bank_id, unit_id from units where last_contact_at = ${now}
          order by bank_id, unit_id`,
      );
      assert.deepEqual(
        heard.map(({ bank_id, unit_id }) => `${bank_id}/${unit_id}`),
        ['1001/1', '1001/2', ...[1, 2, 3, 4].map((id) => `1002/${id}`), ...[1, 2, 3, 4].map((id) => `1003/${id}`)],
      );
    }
  });
});
