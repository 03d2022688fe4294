// The service does not become ready on a server that acknowledges commits before they are on disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { noMariaDb, startMariaDb } from '../support/mariadb-server.ts';
import { startService } from '../support/service.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];

test(
  'a MariaDB server that may lose acknowledged commits keeps the service from getting ready (mariadb)',
  { skip: noMariaDb },
  async () => {
    const server = await startMariaDb({ flushLogAtCommit: 2, bufferPoolMegabytes: 64 });
    assert.ok(server);
    const storage = { storageUrl: server.url('lax_'), release: () => server.stop() };
    const service = await startService('mariadb', { storage, tenants });
    try {
      const { status, text } = await service.call('GET', '/livez');
      assert.deepEqual([status, JSON.parse(text)], [200, { status: 'ok' }]);
      // On a busy machine a database sometimes does not answer in time at first.
      await waitUntil('/readyz names the settings', async () => {
        const ready = await service.call('GET', '/readyz');
        assert.deepEqual([ready.status, ready.json.code], [503, 'not-ready']);
        return ready.json.detail === 'storage-settings';
      });
    } finally {
      await service.stop();
      await storage.release();
    }
  },
);
