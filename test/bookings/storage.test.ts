// What is told while storage cannot be reached, and that nothing is half done then.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  insertBooking,
  bookingsPath,
  checkCommand,
  executeCommand,
  createBookableBank,
  readBankRows,
} from '../support/bookings.ts';
import { dayMs, testNow } from '../support/times.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { instantOf } from '../support/account-oracle.ts';
import { onBothEngines, startService, type TestService } from '../support/service.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

onBothEngines((engine) => {
  let service: TestService;
  let token: string;
  let event: number;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(testNow).epochMilliseconds });
    await createBookableBank(service);
    event = await insertBooking(service);
    ({ token } = await createToken(service, { livesMs: 30 * dayMs }));
  });
  after(() => service.stop());

  const asking: [what: string, ask: () => Promise<HttpReply>][] = [
    ['a list', () => service.call('GET', bookingsPath('from=2026-06-15&through=2026-06-20'), { token })],
    ['a list by names', () => service.call('GET', bookingsPath('from=2026-06-15&sort=user&filter=washer'), { token })],
    ['a check', () => checkCommand(service, event, 'Cancel', { token })],
    ['a command', () => executeCommand(service, event, 'Cancel', { token })],
  ];
  for (const [what, ask] of asking)
    test(`${what} is 503 storage-unavailable while storage cannot be reached, and 200 when it can (${engine})`, async () => {
      const world = await readBankRows(service);
      const { status, json, headers } = await callWithoutStorage(service, ask);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.deepEqual(await readBankRows(service), world);
      assert.equal((await ask()).status, 200);
    });
});
