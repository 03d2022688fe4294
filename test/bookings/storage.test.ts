// What is told while storage cannot be reached, and that nothing is half done then.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, bookingsPath, check, dayMs, execute, now, openBookable, worldOf } from '../support/bookings.ts';
import type { Reply } from '../support/call.ts';
import { makeToken } from '../support/factories.ts';
import { instantOf } from '../support/oracle.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';
import { withoutStorage } from '../support/without-storage.ts';

onBothEngines((engine) => {
  let service: Service;
  let token: string;
  let event: number;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(now).epochMilliseconds });
    await openBookable(service);
    event = await book(service);
    ({ token } = await makeToken(service, { livesMs: 30 * dayMs }));
  });
  after(() => service.stop());

  const asking: [what: string, ask: () => Promise<Reply>][] = [
    ['a list', () => service.call('GET', bookingsPath('from=2026-06-15&through=2026-06-20'), { token })],
    ['a list by names', () => service.call('GET', bookingsPath('from=2026-06-15&sort=user&filter=washer'), { token })],
    ['a check', () => check(service, event, 'Cancel', { token })],
    ['a command', () => execute(service, event, 'Cancel', { token })],
  ];
  for (const [what, ask] of asking)
    test(`${what} is 503 storage-unavailable while storage cannot be reached, and 200 when it can (${engine})`, async () => {
      const world = await worldOf(service);
      const { status, json, headers } = await withoutStorage(service, ask);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.deepEqual(await worldOf(service), world);
      assert.equal((await ask()).status, 200);
    });
});
