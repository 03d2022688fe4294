// A process that may open too few files does not start, and says how many it needs. With those that are its own it serves every
// tenant, and warns that there are not enough for all connections.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCaller } from '../support/call.ts';
import { runPortal, startServeProcess } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];

serviceSuite({ tenants, manager: false }, ({ storage, onStop }) => {
  const createSettings = (): Record<string, string> => {
    const cache = mkdtempSync(join(tmpdir(), 'portal-open-files-'));
    onStop(() => rmSync(cache, { recursive: true, force: true }));
    return { PORTAL_STORAGE: storage.storageUrl, PORTAL_CACHE: cache, PORTAL_PORT: '0', PORTAL_METRICS_PORT: '0' };
  };

  test('with too few files the process ends at once, and names the number that is needed', async () => {
    for (const openFiles of [64, 128, 279]) {
      const { code, stderr } = await runPortal(['serve'], createSettings(), { openFiles });
      assert.equal(code, 1, stderr);
      assert.match(stderr, new RegExp(`may open ${openFiles} files, and needs 10280: 280 of its own`));
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
  });

  test('with the files that are its own every tenant is served, and the log tells the number for all connections', async () => {
    const child = await startServeProcess(createSettings(), { openFiles: 280 });
    onStop(() => child.kill());
    const call = createCaller(child.port, []);
    const reads = tenants.flatMap((name) =>
      Array.from({ length: 8 }, (_, at) =>
        call(
          'GET',
          `/api/v1/public/${['statistics/purchases', 'statistics/active-users', 'statistics/purchase-map', 'status'][at % 4]}`,
          {
            host: `api.${name}.localhost`,
          },
        ),
      ),
    );
    for (const { status, text } of await Promise.all(reads)) assert.equal(status, 200, text);
    const { status, text } = await call('GET', '/readyz', {});
    assert.equal(status, 200, text);
    const warning = child
      .lines()
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ level }) => level === 'warn');
    assert.partialDeepStrictEqual(warning, {
      msg: 'the process may open too few files for PORTAL_CONNECTIONS',
      limit: 280,
      needed: 10_280,
    });
  });
});
