// GetBankBooking: a booking is found by any of its events, and its first event identifies it for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { bookingCommandSuite } from '../support/booking-command-suite.ts';
import {
  bookingsPath,
  cancelledAnHourAgo,
  executeCommand,
  getBooking,
  insertBooking,
  parseEventId,
  readBankRows,
  setSecondLocationDeleted,
} from '../support/bookings.ts';
import type { HttpReply } from '../support/call.ts';
import type { ManagerOptions } from '../support/factories.ts';
import { instantOf } from '../support/account-oracle.ts';
import { dayMs } from '../support/times.ts';

const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'] as const;

bookingCommandSuite(({ service, manager, issueToken, clock, testDay, defaultStart, bookOne }) => {
  /** The items of the list from the test's day on. */
  async function list(token: string): Promise<Record<string, unknown>[]> {
    const through = instantOf(testDay() + 3 * dayMs)
      .toString()
      .slice(0, 10);
    const { json } = await service.call('GET', bookingsPath(`through=${through}&limit=200`), { token });
    return json.items;
  }

  test('[bookings.09, bookings.11] any event finds its booking as it is now, and the first one identifies it through every command', async () => {
    const first = await bookOne({ priceMinor: 700n });
    await bookOne({ unitId: 2 });
    const events = [first];
    let last: HttpReply | undefined;
    for (const command of ['Cancel', 'Restore', 'Cancel', 'Restore']) {
      last = await executeCommand(service, events.at(-1) ?? 0, command, manager);
      events.push(parseEventId(last));
    }
    for (const event of events) {
      const { status, json, headers } = await getBooking(service, event, manager);
      assert.deepEqual([status, json], [200, last?.json]);
      assert.equal(json.firstEventKid, `sund-B1001-E${first}`);
      assert.equal(json.eventKid, `sund-B1001-E${events.at(-1)}`);
      assert.deepEqual([headers['cache-control'], headers['content-language']], ['no-store', 'en']);
    }
    const listed = (await list(manager.token)).find(({ firstEventKid }) => firstEventKid === `sund-B1001-E${first}`);
    assert.deepEqual(listed, last?.json);
  });

  test('[bookings.09] a booking that was recorded as cancelled has its first event, too', async () => {
    const cancelled = await bookOne({ cancelled: cancelledAnHourAgo });
    for (const event of [cancelled - 1, cancelled]) {
      const { json } = await getBooking(service, event, manager);
      assert.deepEqual(
        [json.eventKid, json.firstEventKid, json.state],
        [`sund-B1001-E${cancelled}`, `sund-B1001-E${cancelled - 1}`, 'Cancelled'],
      );
    }
  });

  test('[bookings.09] it is in the manager’s language, with the commands that the manager can execute, and with a name while its identity is kept', async () => {
    const event = await bookOne({ residentId: 1002 });
    const danish = await getBooking(service, event, { ...manager, headers: { 'accept-language': 'da' } });
    assert.deepEqual([danish.json.unitName, danish.headers['content-language']], ['Vaskemaskine 1', 'da']);
    assert.deepEqual([danish.json.commands, danish.json.userName], [['Cancel'], 'Demo Resident 1002']);
    const rights = { tabs: ['Bookings1'], permissions: needed, grants: [{ bankId: 1001, locationId: 1 }] } as const;
    const reader = await getBooking(service, event, { token: await issueToken(rights) });
    assert.deepEqual([reader.status, reader.json.commands], [200, []]);
    clock.now = testDay() + 10 * dayMs;
    const short = await getBooking(service, event, { token: await issueToken({ retentionDays: 5 }) });
    assert.deepEqual([short.json.userKid, short.json.userName, short.json.state], ['sund-B1001-R0', '', 'Completed']);
  });

  test('[bookings.01, bookings.05, auth.16] malformed KIDs are 400, no token 401, and each missing right 403', async () => {
    const event = await bookOne();
    const at = (bank: string, kid: string): string => `/api/v1/banks/${bank}/bookings/${kid}`;
    for (const path of [
      at('sund-B01001', `sund-B1001-E${event}`),
      at('sund-B1001', `sund-B1001-E0${event}`),
      at('sund-B1001', `fjord-B1001-E${event}`),
      at('sund-B1001', `sund-B1001-X${event}`),
      at('sund-B1001', 'commands'),
    ]) {
      const { status, json } = await service.call('GET', path, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
    }
    const path = at('sund-B1001', `sund-B1001-E${event}`);
    assert.equal((await service.call('GET', `${path}?state=all`, manager)).status, 400);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await service.call(method, path, manager)).status, 405, method);
    for (const token of [undefined, 'unknown']) assert.equal((await service.call('GET', path, { token })).status, 401);
    const without: ManagerOptions[] = [
      { tabs: tabs.filter((tab) => tab !== 'Bookings1') },
      ...needed.map((missing) => ({ permissions: permissions.filter((each) => each !== missing) })),
    ];
    for (const options of without) {
      const { status, json } = await service.call('GET', path, { token: await issueToken(options) });
      assert.deepEqual([status, json.code], [403, 'forbidden']);
    }
  });

  test('[auth.40, bookings.05] an event that is missing, of another bank, of a deleted location or not visible is 404, byte for byte the same', async () => {
    const elsewhere = await bookOne({ locationId: 2 });
    const superseded = await bookOne({ locationId: 2, startAt: defaultStart() + dayMs });
    await executeCommand(service, superseded, 'Cancel', manager);
    const other = await insertBooking(service, { startAt: defaultStart() }, 1002, testDay());
    const narrow = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 1 }] }) };
    const at = (bank: number, kid: string): string => `/api/v1/banks/sund-B${bank}/bookings/${kid}`;
    const replies: HttpReply[] = [];
    for (const path of [
      at(1001, 'sund-B1001-E999999'),
      at(1001, `sund-B1001-E${2n ** 63n - 1n}`),
      at(1001, `sund-B1002-E${other}`),
      at(1002, `sund-B1001-E${elsewhere}`),
      at(1003, 'sund-B1003-E1'),
      at(9999, 'sund-B9999-E1'),
    ])
      replies.push(await service.call('GET', path, manager));
    for (const event of [elsewhere, superseded]) replies.push(await getBooking(service, event, narrow));
    const setDeleted = (deletedAt: number | null) => setSecondLocationDeleted(service, deletedAt);
    const rowsBefore = await readBankRows(service);
    await setDeleted(testDay());
    for (const event of [elsewhere, superseded]) replies.push(await getBooking(service, event, manager));
    await setDeleted(null);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    assert.equal((await getBooking(service, superseded, manager)).status, 200);
    assert.deepEqual(await readBankRows(service), rowsBefore);
  });
});
