// `migrate --plan` says beforehand whether an update can be made replica by replica, and older replicas go on where it can.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runPortal } from '../support/portal-process.ts';
import { onBothEngines, startService } from '../support/service.ts';
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
    const statusOfReadiness = async (): Promise<string> => {
      const { status, json } = await service.call('GET', '/readyz');
      const failed = (json.errors ?? []) as { readonly path: string; readonly message: string }[];
      return `${status} ${failed.find(({ path }) => path === tenant)?.message.split(':')[0] ?? 'served'}`;
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
});
