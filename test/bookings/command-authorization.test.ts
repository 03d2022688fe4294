// Who may turn a booking, how a command is spelled, and what is refused before any rule is looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { storageAddressOf, connectDirectly } from '../support/test-database.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { bookingCommandSuite } from '../support/booking-command-suite.ts';
import { insertBooking, checkCommand, commandPath, executeCommand, readBankRows } from '../support/bookings.ts';
import { dayMs } from '../support/times.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { onBothEngines } from '../support/service.ts';

const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read', 'Unit.Write'] as const;

onBothEngines((engine) => {
  const days = bookingCommandSuite(engine);

  test(`[bookings.04, bookings.10] Cancel and Restore are all there is, spelled just so, by POST and without a body (${engine})`, async () => {
    const event = await days.bookOne();
    const world = await readBankRows(days.service);
    for (const command of ['cancel', 'CANCEL', 'Delete', 'Move', 'Complete', 'Cancel%20', 'Book'])
      for (const ask of [executeCommand, checkCommand]) {
        const { status, json } = await ask(days.service, event, command, { token: days.token });
        assert.deepEqual([status, json.code], [400, 'invalid-request'], command);
      }
    for (const options of [{ body: { why: 'x' } }, { body: [1] }, { body: 'x' }, { rawBody: '{ no JSON' }])
      assert.equal(
        (await executeCommand(days.service, event, 'Cancel', { token: days.token, ...options })).status,
        400,
      );
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await days.service.call(method, commandPath(event), { token: days.token })).status, 405, method);
    for (const path of [commandPath(event), `${commandPath(event)}/check`])
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await days.service.call(method, path, { token: days.token })).status, 405, method);
    assert.equal(
      (await days.service.call('POST', `${commandPath(event)}?force=true`, { token: days.token })).status,
      400,
    );
    assert.deepEqual(await readBankRows(days.service), world);
    assert.equal(
      (await executeCommand(days.service, event, 'Cancel', { token: days.token, body: {} })).status,
      200,
      'an empty one is none',
    );
  });

  test(`malformed and foreign KIDs are 400, no days.token 401 (${engine})`, async () => {
    const event = await days.bookOne();
    const at = (bank: string, kid: string): string => `/api/v1/banks/${bank}/bookings/${kid}/commands/Cancel`;
    for (const [method, end] of [
      ['POST', ''],
      ['GET', '/check'],
    ] as const) {
      for (const path of [
        at('sund-B01001', `sund-B1001-E${event}`),
        at('sund-B1001', `sund-B1001-E0${event}`),
        at('sund-B1001', 'sund-B1001-E0'),
        at('sund-B1001', `fjord-B1001-E${event}`),
        at('fjord-B1001', `sund-B1001-E${event}`),
        at('sund-B1001', `sund-B1001-X${event}`),
        at('sund-B1001', `E${event}`),
      ]) {
        const { status, json } = await days.service.call(method, path + end, { token: days.token });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
      }
      for (const as of [undefined, 'unknown'])
        assert.equal((await days.service.call(method, commandPath(event) + end, { token: as })).status, 401);
    }
  });

  test(`[bookings.02, auth.16] each missing right is 403, a reader’s Unit Write among them, and the booking stays (${engine})`, async () => {
    const event = await days.bookOne();
    const world = await readBankRows(days.service);
    const without: [detail: string, options: ManagerOptions][] = [
      ['The operation needs the Tab Bookings1.', { tabs: tabs.filter((tab) => tab !== 'Bookings1') }],
      ...needed.map((missing): [string, ManagerOptions] => [
        `The operation needs the permission ${missing}.`,
        { permissions: permissions.filter((each) => each !== missing) },
      ]),
      [
        'The operation needs the permission Unit.Write.',
        { permissions: needed.filter((each) => each !== 'Unit.Write') },
      ],
    ];
    for (const [detail, options] of without) {
      const as = await days.createToken(options);
      for (const ask of [executeCommand, checkCommand]) {
        const { status, json } = await ask(days.service, event, 'Cancel', { token: as });
        assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', detail]);
      }
    }
    assert.deepEqual(await readBankRows(days.service), world);
    const exactly = await days.createToken({
      tabs: ['Bookings1'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 1 }],
    });
    assert.equal((await checkCommand(days.service, event, 'Cancel', { token: exactly })).json.allowed, true);
    assert.equal((await executeCommand(days.service, event, 'Cancel', { token: exactly })).status, 200);
  });

  test(`[auth.40, bookings.05] an event that is missing, of another bank, of a deleted location or out of sight is 404, byte for byte the same (${engine})`, async () => {
    const event = await days.bookOne();
    const elsewhere = await days.bookOne({ locationId: 2 });
    const other = await insertBooking(days.service, { startAt: days.defaultStart() }, 1002, days.day);
    const bankWide = await days.createToken({ grants: [{ bankId: 1002, locationId: 0 }] });
    const narrow = await days.createToken({
      grants: [
        { bankId: 1001, locationId: 1 },
        { bankId: 1002, locationId: 77 },
      ],
    });
    const at = (bank: number, kid: string, command = 'Cancel'): string =>
      `/api/v1/banks/sund-B${bank}/bookings/${kid}/commands/${command}`;
    const missing: [as: string, path: string][] = [
      [days.token, at(1001, 'sund-B1001-E999999')],
      [days.token, at(1001, `sund-B1001-E${2n ** 53n}`)],
      [days.token, at(1001, `sund-B1001-E${2n ** 63n - 1n}`)],
      [days.token, at(1001, `sund-B1002-E${other}`)],
      [days.token, at(1002, `sund-B1001-E${event}`)],
      [days.token, at(1003, 'sund-B1003-E1')],
      [days.token, at(9999, 'sund-B9999-E1')],
      [bankWide, at(1001, `sund-B1001-E${event}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`, 'Restore')],
      [narrow, at(1002, `sund-B1002-E${other}`)],
    ];
    const world = [await readBankRows(days.service), await readBankRows(days.service, 1002)];
    const replies: HttpReply[] = [];
    const ask = async (as: string, path: string): Promise<void> => {
      replies.push(await days.service.call('POST', path, { token: as }));
      replies.push(await days.service.call('GET', `${path}/check`, { token: as }));
    };
    for (const [as, path] of missing) await ask(as, path);
    const location = (deleted_at: number | null) =>
      days.service.write('sund', (db) =>
        db
          .updateTable('locations')
          .set({ deleted_at })
          .where('bank_id', '=', 1001)
          .where('location_id', '=', 2)
          .execute(),
      );
    await location(days.day);
    await ask(days.token, at(1001, `sund-B1001-E${elsewhere}`));
    await location(null);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    assert.deepEqual([await readBankRows(days.service), await readBankRows(days.service, 1002)], world);
    assert.equal((await executeCommand(days.service, event, 'Cancel', { token: narrow })).status, 200);
  });

  test(`[bookings.02] rights are asked for again inside the write: what was withdrawn a moment ago opens nothing (${engine})`, async () => {
    const event = await days.bookOne();
    const world = await readBankRows(days.service);
    const steps: [
      status: number,
      code: string,
      table: 'manager_grants' | 'manager_permissions' | 'manager_tabs' | 'sessions',
    ][] = [
      [403, 'forbidden', 'manager_grants'],
      [403, 'forbidden', 'manager_permissions'],
      [403, 'forbidden', 'manager_tabs'],
      [401, 'unauthenticated', 'sessions'],
    ];
    for (const [status, code, table] of steps) {
      const made = await createToken(days.service, { livesMs: 2000 * dayMs });
      assert.equal((await checkCommand(days.service, event, 'Cancel', { token: made.token })).status, 200);
      await days.service.write('sund', (db) => db.deleteFrom(table).where('manager_id', '=', made.managerId).execute());
      const reply = await executeCommand(days.service, event, 'Cancel', { token: made.token });
      assert.deepEqual([reply.status, reply.json.code], [status, code], table);
    }
    assert.deepEqual(await readBankRows(days.service), world);
  });

  test(`a bank that somebody holds for longer than the deadline is 503, and nothing is written (${engine})`, async () => {
    const event = await days.bookOne();
    const world = await readBankRows(days.service);
    const holder = await connectDirectly(storageAddressOf(days.storage));
    await holder.run(engine === 'sqlite' ? 'begin immediate' : 'start transaction');
    await holder.run('update booking_heads set events = events where bank_id = 1001');
    const reply = await executeCommand(days.service, event, 'Cancel', { token: days.token });
    assert.equal(reply.status, 503, reply.text);
    assert.ok(Number(reply.headers['retry-after']) > 0);
    await holder.run('rollback');
    await holder.close();
    assert.deepEqual(await readBankRows(days.service), world);
    assert.equal((await executeCommand(days.service, event, 'Cancel', { token: days.token })).status, 200);
  });
});
