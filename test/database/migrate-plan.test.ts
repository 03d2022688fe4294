// `migrate --plan` says beforehand whether an update can be made replica by replica, and older replicas go on where it can.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { waitUntil } from '../support/async.ts';
import { createBookableBank, executeCommand, getBooking, insertBooking, parseEventId } from '../support/bookings.ts';
import { createToken } from '../support/factories.ts';
import { runPortal } from '../support/portal-process.ts';
import { onBothEngines, startService } from '../support/service.ts';
import { testNow } from '../support/times.ts';
import { openTestDatabase, tenant } from '../support/test-database.ts';
import { rollBackFrom } from './support/older-schema.ts';

onBothEngines((engine) => {
  test('[cluster.02] a plan names what is missing and whether older replicas can go on, and changes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
    const tenants = join(folder, 'tenants.json');
    const sund = { name: tenant, displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
    writeFileSync(tenants, JSON.stringify([sund]));
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const settings = { PORTAL_STORAGE: scratch.storage.storageUrl, PORTAL_TENANTS: tenants };
    const plan = async (): Promise<string> => {
      const { code, stdout, stderr } = await runPortal(['migrate', '--plan'], settings);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    try {
      assert.equal(await plan(), 'sund: up to date\n');
      const missing = await rollBackFrom(outsider, '0034-status-snapshots');
      assert.equal(
        await plan(),
        `sund: ${missing.join(', ')}; replicas of the version before cannot go on: stop all of them first\n`,
      );
      assert.deepEqual((await scratch.databases.compareSchema(tenant)).missing, missing, 'nothing was changed');
    } finally {
      await outsider.close();
      await scratch.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('[cluster.03] a replica is ready with a later migration whose name promises that, and with no other', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const service = await startService(engine, { storage: scratch.storage, tenants: [] });
    const insert = (name: string) => outsider.run(`insert into kysely_migration values ('${name}', '2026-01-01')`);
    const askReadiness = async (): Promise<string> => {
      const { status, json } = await service.call('GET', '/readyz');
      const failed = (json.errors ?? []) as { readonly path: string; readonly message: string }[];
      return `${status} ${failed.find(({ path }) => path === tenant)?.message.split(':')[0] ?? 'served'}`;
    };
    /** On a busy machine the database can take longer to answer than readiness waits. */
    const statusOfReadiness = async (): Promise<string> => {
      let status = '503 connection';
      await waitUntil('the database answers', async () => (status = await askReadiness()) !== '503 connection');
      return status;
    };
    try {
      await insert('9998-later');
      assert.equal(await statusOfReadiness(), '503 migrations');
      await outsider.run("delete from kysely_migration where name = '9998-later'");
      await insert('9999-later-additive');
      assert.match(await statusOfReadiness(), / served$/);
    } finally {
      await service.stop();
      await outsider.close();
      await scratch.close();
    }
  });

  test('[cluster.03] a replica that serves goes on, right in every column, when a later version adds columns', async () => {
    const scratch = await openTestDatabase(engine);
    const outsider = await scratch.connectDirectly();
    const service = await startService(engine, { storage: scratch.storage, clock: () => fromMs2000(testNow) });
    try {
      await createBookableBank(service);
      const manager = await createToken(service);
      const event = await insertBooking(service);
      // More than once: connections keep what they have prepared.
      const read = async (of: number) => {
        const replies = await Promise.all(Array.from({ length: 8 }, () => getBooking(service, of, manager)));
        for (const { status, json } of replies) assert.deepEqual([status, json], [200, replies[0]?.json]);
        return replies[0]?.json;
      };
      const before = await read(event);
      const cancelled = parseEventId(await executeCommand(service, event, 'Cancel', manager));
      const restored = parseEventId(await executeCommand(service, cancelled, 'Restore', manager));
      for (const change of [
        'alter table bookings add column seats integer not null default 7',
        'alter table booking_events add column note text',
        'alter table residents add column note text',
        'alter table audit_entries add column reason text',
        "insert into kysely_migration values ('9999-later-additive', '2026-01-01')",
      ])
        await outsider.run(change);
      assert.deepEqual({ ...(await read(restored)), eventKid: before?.eventKid }, before);
      const again = await executeCommand(service, restored, 'Cancel', manager);
      assert.deepEqual([again.status, again.json.state], [200, 'Cancelled'], again.text);
      const last = await executeCommand(service, parseEventId(again), 'Restore', manager);
      assert.deepEqual([last.status, { ...last.json, eventKid: before?.eventKid }], [200, before], last.text);
    } finally {
      await service.stop();
      await outsider.close();
      await scratch.close();
    }
  });
});
