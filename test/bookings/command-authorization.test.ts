// Who can change a booking, how a command is spelled, and what is refused before any rule is checked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { storageAddressOf, connectDirectly } from '../support/test-database.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { bookingCommandSuite } from '../support/booking-command-suite.ts';
import {
  checkCommand,
  commandPath,
  executeCommand,
  insertBooking,
  readBankRows,
  setSecondLocationDeleted,
} from '../support/bookings.ts';
import { dayMs } from '../support/times.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';

const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read', 'Unit.Write'] as const;

bookingCommandSuite(({ engine, service, storage, manager, issueToken, testDay, defaultStart, bookOne }) => {
  test('[bookings.04, bookings.10] Cancel and Restore are the only commands, spelled exactly so, by POST and without a body', async () => {
    const event = await bookOne();
    const world = await readBankRows(service);
    for (const command of ['cancel', 'CANCEL', 'Delete', 'Move', 'Complete', 'Cancel%20', 'Book'])
      for (const ask of [executeCommand, checkCommand]) {
        const { status, json } = await ask(service, event, command, manager);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], command);
      }
    for (const options of [{ body: { why: 'x' } }, { body: [1] }, { body: 'x' }, { rawBody: '{ no JSON' }])
      assert.equal((await executeCommand(service, event, 'Cancel', { token: manager.token, ...options })).status, 400);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await service.call(method, commandPath(event), manager)).status, 405, method);
    for (const path of [commandPath(event), `${commandPath(event)}/check`])
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await service.call(method, path, manager)).status, 405, method);
    assert.equal((await service.call('POST', `${commandPath(event)}?force=true`, manager)).status, 400);
    assert.deepEqual(await readBankRows(service), world);
    assert.equal(
      (await executeCommand(service, event, 'Cancel', { token: manager.token, body: {} })).status,
      200,
      'an empty one is none',
    );
  });

  test('malformed and foreign KIDs are 400, no token 401', async () => {
    const event = await bookOne();
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
        const { status, json } = await service.call(method, path + end, manager);
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
      }
      for (const as of [undefined, 'unknown'])
        assert.equal((await service.call(method, commandPath(event) + end, { token: as })).status, 401);
    }
  });

  test('[bookings.02, auth.16] each missing right is 403, a reader’s Unit Write among them, and the booking stays', async () => {
    const event = await bookOne();
    const world = await readBankRows(service);
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
      const as = await issueToken(options);
      for (const ask of [executeCommand, checkCommand]) {
        const { status, json } = await ask(service, event, 'Cancel', { token: as });
        assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', detail]);
      }
    }
    assert.deepEqual(await readBankRows(service), world);
    const exactly = await issueToken({
      tabs: ['Bookings1'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 1 }],
    });
    assert.equal((await checkCommand(service, event, 'Cancel', { token: exactly })).json.allowed, true);
    assert.equal((await executeCommand(service, event, 'Cancel', { token: exactly })).status, 200);
  });

  test('[auth.40, bookings.05] an event that is missing, of another bank, of a deleted location or not visible is 404, byte for byte the same', async () => {
    const event = await bookOne();
    const elsewhere = await bookOne({ locationId: 2 });
    const other = await insertBooking(service, { startAt: defaultStart() }, 1002, testDay());
    const bankWide = await issueToken({ grants: [{ bankId: 1002, locationId: 0 }] });
    const narrow = await issueToken({
      grants: [
        { bankId: 1001, locationId: 1 },
        { bankId: 1002, locationId: 77 },
      ],
    });
    const at = (bank: number, kid: string, command = 'Cancel'): string =>
      `/api/v1/banks/sund-B${bank}/bookings/${kid}/commands/${command}`;
    const missing: [as: string, path: string][] = [
      [manager.token, at(1001, 'sund-B1001-E999999')],
      [manager.token, at(1001, `sund-B1001-E${2n ** 53n}`)],
      [manager.token, at(1001, `sund-B1001-E${2n ** 63n - 1n}`)],
      [manager.token, at(1001, `sund-B1002-E${other}`)],
      [manager.token, at(1002, `sund-B1001-E${event}`)],
      [manager.token, at(1003, 'sund-B1003-E1')],
      [manager.token, at(9999, 'sund-B9999-E1')],
      [bankWide, at(1001, `sund-B1001-E${event}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`, 'Restore')],
      [narrow, at(1002, `sund-B1002-E${other}`)],
    ];
    const world = [await readBankRows(service), await readBankRows(service, 1002)];
    const replies: HttpReply[] = [];
    const ask = async (as: string, path: string): Promise<void> => {
      replies.push(await service.call('POST', path, { token: as }));
      replies.push(await service.call('GET', `${path}/check`, { token: as }));
    };
    for (const [as, path] of missing) await ask(as, path);
    const location = (deletedAt: number | null) => setSecondLocationDeleted(service, deletedAt);
    await location(testDay());
    await ask(manager.token, at(1001, `sund-B1001-E${elsewhere}`));
    await location(null);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    assert.deepEqual([await readBankRows(service), await readBankRows(service, 1002)], world);
    assert.equal((await executeCommand(service, event, 'Cancel', { token: narrow })).status, 200);
  });

  test('[bookings.02] rights are checked again inside the write: a right that was just withdrawn does not count', async () => {
    const event = await bookOne();
    const world = await readBankRows(service);
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
      const made = await createToken(service, { livesMs: 2000 * dayMs });
      assert.equal((await checkCommand(service, event, 'Cancel', { token: made.token })).status, 200);
      await service.write('sund', (db) => db.deleteFrom(table).where('manager_id', '=', made.managerId).execute());
      const reply = await executeCommand(service, event, 'Cancel', { token: made.token });
      assert.deepEqual([reply.status, reply.json.code], [status, code], table);
    }
    assert.deepEqual(await readBankRows(service), world);
  });

  test('a bank that is locked for longer than the deadline is 503, and nothing is written', async () => {
    const event = await bookOne();
    const world = await readBankRows(service);
    const holder = await connectDirectly(storageAddressOf(storage));
    await holder.run(engine === 'sqlite' ? 'begin immediate' : 'start transaction');
    await holder.run('update booking_heads set events = events where bank_id = 1001');
    const reply = await executeCommand(service, event, 'Cancel', manager);
    assert.equal(reply.status, 503, reply.text);
    assert.ok(Number(reply.headers['retry-after']) > 0);
    await holder.run('rollback');
    await holder.close();
    assert.deepEqual(await readBankRows(service), world);
    assert.equal((await executeCommand(service, event, 'Cancel', manager)).status, 200);
  });
});
