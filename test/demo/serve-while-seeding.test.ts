// `serve --demo` on empty databases: the first tenant is served while the others are still being filled.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StorageError } from '../../src/database/errors.ts';
import { formatRawRequest, sendRaw } from '../http/support/raw-http.ts';
import { waitUntil } from '../support/async.ts';
import { getTenant, openMigratedDatabases } from '../support/demo-database.ts';
import { startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { createStorage, onBothEngines } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-seeding-'));
const tenants = join(folder, 'tenants.json');
writeFileSync(tenants, JSON.stringify([getTenant('sund'), getTenant('fjord')]));
after(() => rmSync(folder, { recursive: true }));

const purchases = '/api/v1/public/statistics/purchases';
const statusOf = async ({ port }: ServeProcess, path: string, host: string): Promise<number> =>
  (await sendRaw(port, formatRawRequest(`GET ${path} HTTP/1.1`, [`Host: ${host}`]))).status;

const messagesOf = (child: ServeProcess): string[] =>
  child.lines().map((line) => {
    const { msg, tenant = '' } = JSON.parse(line) as { msg: string; tenant?: string };
    return `${msg} ${tenant}`.trim();
  });

test('the first tenant is served while another is filled, which a stop interrupts and the next start completes', async (t) => {
  const storage = await createStorage('sqlite');
  t.after(() => storage.release());
  const settings = { PORTAL_STORAGE: storage.storageUrl, PORTAL_TENANTS: tenants, PORTAL_SIMULATOR: 'off' };

  const first = await startServeProcess(settings, {}, ['--demo']);
  t.after(() => first.kill());
  assert.ok(!messagesOf(first).includes('demo data fjord'));
  await waitUntil('its log tells it', () => messagesOf(first).includes('demo data sund'));
  assert.equal(await statusOf(first, purchases, 'api.sund.localhost'), 200);
  first.signal('SIGTERM');
  assert.deepEqual(await first.ended, { code: 0, signal: null });
  assert.ok(!messagesOf(first).includes('demo data fjord'));

  const second = await startServeProcess(settings, {}, ['--demo']);
  t.after(() => second.kill());
  await waitUntil('all are there', async () => (await statusOf(second, '/readyz', 'localhost')) === 200, 120_000);
  assert.equal(await statusOf(second, purchases, 'api.fjord.localhost'), 200);
  await waitUntil('its log tells it', () => messagesOf(second).includes('demo data fjord'));
  assert.ok(!second.lines().some((line) => line.includes('"level":"warn"')), 'nothing is wrong meanwhile');
});

onBothEngines((engine) => {
  test('a database that is held back refuses reads and writes, and says why, until it is let go', async (t) => {
    const { databases, release } = await openMigratedDatabases(engine, 'sund');
    t.after(release);
    const read = () => databases.forTenant('sund').read({ deadlineMs: 5000 }, async () => 'read');
    const letGo = databases.holdBack(['sund']);
    for (const work of [read, () => databases.forTenant('sund').write({ deadlineMs: 5000 }, async () => 'written')])
      await assert.rejects(work, (error: unknown) => {
        assert.ok(error instanceof StorageError && error.failure === 'unavailable');
        assert.equal(databases.diagnose('sund', error)?.problem, 'its demo data are being created');
        return true;
      });
    letGo('sund');
    assert.equal(await read(), 'read');
  });
});
