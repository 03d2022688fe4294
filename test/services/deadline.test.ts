// Operations on services whose storage does not answer: they end at their deadline of twelve seconds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  generateApiKey,
  getService,
  readOperationIds,
  readServiceContent,
  servicesPath,
  setReadAccess,
  setServiceField,
} from '../support/services.ts';
import { connectDirectly, storageAddressOf } from '../support/test-database.ts';

/** On MariaDB all operations wait for the table; on SQLite the writes wait for its one writer, and no read waits. */
const blocks = { mariadb: 'lock tables services write', sqlite: 'begin immediate' } as const;
const releases = { mariadb: 'unlock tables', sqlite: 'rollback' } as const;

serviceSuite({}, ({ service, manager, engine, storage }) => {
  test('[services.29, services.31] every operation that waits for storage ends after twelve seconds with 503 services-unavailable, and nothing is written', async () => {
    const before = await readServiceContent(service, 'Mailer');
    const reads: Record<string, () => Promise<HttpReply>> = {
      GetServices: () => service.call('GET', servicesPath, manager),
      GetService: () => getService(service, 'Mailer', manager),
    };
    const writes: typeof reads = {
      SetServiceProfileField: () => setServiceField(service, 'Mailer', 'Name', 'Post', manager),
      GenerateServiceApiKey: () => generateApiKey(service, 'Mailer', manager),
      SetServiceReadAccess: () => setReadAccess(service, 'Mailer', ['GetServices'], manager),
    };
    assert.deepEqual(Object.keys({ ...reads, ...writes }).toSorted(), await readOperationIds(service));
    const holder = await connectDirectly(storageAddressOf(storage));
    await holder.run(blocks[engine]);
    const replies = await Promise.all(
      Object.entries({ ...(engine === 'mariadb' ? reads : {}), ...writes }).map(async ([id, call]) => {
        const startedAt = performance.now();
        const { status, json } = await call();
        return { id, status, code: json.code, seconds: (performance.now() - startedAt) / 1000 };
      }),
    );
    await holder.run(releases[engine]);
    await holder.close();
    for (const { id, status, code, seconds } of replies) {
      assert.deepEqual([status, code], [503, 'services-unavailable'], id);
      // Other operations have ten seconds. A slow machine takes longer, but no client waits for twice the time.
      assert.ok(seconds > 11.5 && seconds < 24, `${id} after ${seconds} s`);
    }
    assert.deepEqual(await readServiceContent(service, 'Mailer'), before);
    assert.equal((await writes['SetServiceProfileField']!()).status, 200);
  });
});
