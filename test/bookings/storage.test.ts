// What is answered while storage cannot be reached, and that nothing is half done.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  insertBooking,
  bookingsPath,
  checkCommand,
  getBooking,
  executeCommand,
  createBookableBank,
  readBankRows,
} from '../support/bookings.ts';
import { testNow } from '../support/times.ts';
import type { HttpReply } from '../support/call.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ now: testNow }, ({ service, manager }) => {
  let event: number;
  before(async () => {
    await createBookableBank(service);
    event = await insertBooking(service);
  });

  const asking: [what: string, ask: () => Promise<HttpReply>][] = [
    ['a list', () => service.call('GET', bookingsPath('from=2026-06-15&through=2026-06-20'), manager)],
    ['a list by names', () => service.call('GET', bookingsPath('from=2026-06-15&sort=user&filter=washer'), manager)],
    ['a booking', () => getBooking(service, event, manager)],
    ['a check', () => checkCommand(service, event, 'Cancel', manager)],
    ['a command', () => executeCommand(service, event, 'Cancel', manager)],
  ];
  for (const [what, ask] of asking)
    test(`${what} is 503 storage-unavailable while storage cannot be reached, and 200 when it can`, async () => {
      const world = await readBankRows(service);
      const { status, json, headers } = await callWithoutStorage(service, ask);
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.deepEqual(await readBankRows(service), world);
      assert.equal((await ask()).status, 200);
    });
});
