// Cancel and Restore: what they turn and answer, what they refuse, and that a refusal changes nothing.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { locationOf, outsiderOf } from '../database/support/scratch.ts';
import { refusalOf } from '../support/account.ts';
import {
  book,
  bookingsPath,
  cancelled,
  changeUnit,
  check,
  commandPath,
  dayMs,
  eventOf,
  execute,
  giveSettings,
  hourMs,
  minuteMs,
  now,
  openBookable,
  storedBookings,
  storedEvents,
  slotHolders,
  worldOf,
} from '../support/bookings.ts';
import type { Reply } from '../support/call.ts';
import { makeBank, makeToken, type ManagerOptions } from '../support/factories.ts';
import { instantOf } from '../support/oracle.ts';
import { storedSyncs } from '../support/reversal.ts';
import { makeStorage, onBothEngines, startService, type Service, type Storage } from '../support/service.ts';

const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };
const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read', 'Unit.Write'] as const;

onBothEngines((engine) => {
  let storage: Storage;
  let service: Service;
  let token: string;
  let managerId: number;
  let clock = now;
  before(async () => {
    storage = await makeStorage(engine);
    service = await startService(engine, { storage, clock: () => instantOf(clock).epochMilliseconds });
    await openBookable(service);
    await openBookable(service, { bankId: 1002 });
    await service.write('sund', (db) => makeBank(db, { bankId: 1003, deletedAt: 1 }));
    ({ token, managerId } = await makeToken(service, { livesMs: 2000 * dayMs }));
  });
  after(async () => {
    await service.stop();
    await storage.release();
  });

  // Each test has a day of its own, so that none is in another's way.
  let day = now;
  beforeEach(async () => {
    day += 3 * dayMs;
    clock = day;
    await giveSettings(service, laundry);
  });
  const tomorrow = (): number => day + dayMs + 30 * minuteMs;
  const one = (change: Parameters<typeof book>[1] = {}): Promise<number> =>
    book(service, { startAt: tomorrow(), ...change }, 1001, day);
  const tokenOf = async (options: ManagerOptions): Promise<string> =>
    (await makeToken(service, { livesMs: 2000 * dayMs, ...options })).token;

  /** Insists that a command is refused so, that its check agrees, and that nothing changes. */
  async function refused(event: number, command: string, status: number, code: string, reason?: string) {
    const world = await worldOf(service);
    const reply = await execute(service, event, command, { token });
    assert.deepEqual([reply.status, reply.json.code, reply.json.reason], [status, code, reason], reply.text);
    assert.deepEqual(await worldOf(service), world);
    const { json } = await check(service, event, command, { token });
    const first = code === 'booking-ended' ? 'ended' : code === 'booking-overlap' ? 'overlap' : reason;
    assert.deepEqual([json.allowed, json.codes[0]?.code], [false, first]);
    assert.ok(json.codes[0].text.length > 10);
  }

  test(`[bookings.10, bookings.11, bookings.15] Cancel turns a booking, frees its time, and answers it with its new event (${engine})`, async () => {
    const event = await one();
    const [last] = (await storedBookings(service)).slice(-1);
    assert.equal((await slotHolders(service))[last?.booking_id ?? 0], 12);
    const { status, json, headers } = await execute(service, event, 'Cancel', { token });
    assert.equal(status, 200);
    assert.deepEqual(json, {
      eventKid: `sund-B1001-E${event + 1}`,
      state: 'Cancelled',
      startUtc: instantOf(tomorrow()).toString({ fractionalSecondDigits: 3 }),
      endUtc: instantOf(tomorrow() + hourMs).toString({ fractionalSecondDigits: 3 }),
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Washer 1',
      locationKid: 'sund-B1001-L1',
      locationName: 'Location 1',
      userKid: 'sund-B1001-R1001',
      userName: 'Demo Resident 1001',
      priceMinor: 0,
      currency: 'DKK',
      commands: ['Restore'],
    });
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-language'], 'en');
    assert.equal((await slotHolders(service))[last?.booking_id ?? 0], undefined);
    const [made] = (await storedEvents(service)).slice(-1);
    assert.deepEqual(made, {
      bank_id: 1001,
      event_id: event + 1,
      booking_id: last?.booking_id,
      kind: 'Cancelled',
      at: day,
      editor_id: managerId,
      posting_id: null,
    });
  });

  test(`[bookings.11, bookings.15] Restore books a cancelled time again, and what is shown is what was answered (${engine})`, async () => {
    const event = eventOf(await execute(service, await one({ hours: 2 }), 'Cancel', { token }));
    const { status, json } = await execute(service, event, 'Restore', { token, headers: { 'accept-language': 'da' } });
    assert.deepEqual([status, json.state, json.eventKid], [200, 'Booked', `sund-B1001-E${event + 1}`]);
    assert.deepEqual([json.unitName, json.commands], ['Vaskemaskine 1', ['Cancel']]);
    const [booking] = (await storedBookings(service)).slice(-1);
    assert.equal((await slotHolders(service))[booking?.booking_id ?? 0], 24);
    assert.equal((await storedEvents(service)).at(-1)?.kind, 'Restored');
    const through = instantOf(day + 2 * dayMs)
      .toString()
      .slice(0, 10);
    const listed = await service.call('GET', bookingsPath(`through=${through}&direction=desc`), {
      token,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual(
      listed.json.items.find(({ eventKid }: { eventKid: string }) => eventKid === json.eventKid),
      json,
    );
  });

  test(`[bookings.15] a booking is Completed from the instant of its end on, by time alone (${engine})`, async () => {
    await one({ startAt: day + 30 * minuteMs });
    const stateAt = async (at: number): Promise<string> => {
      clock = at;
      const { json } = await service.call('GET', bookingsPath(), { token });
      return json.items.at(-1).state;
    };
    assert.equal(await stateAt(day), 'Booked');
    assert.equal(await stateAt(day + 90 * minuteMs - 1), 'Booked');
    assert.equal(await stateAt(day + 90 * minuteMs), 'Completed');
  });

  test(`[bookings.03, bookings.11, bookings.12] an event that was superseded is 409 for ever, whatever the command, and nothing changes (${engine})`, async () => {
    const first = await one();
    const second = eventOf(await execute(service, first, 'Cancel', { token }));
    const third = eventOf(await execute(service, second, 'Restore', { token }));
    const world = await worldOf(service);
    for (const event of [first, second])
      for (const command of ['Cancel', 'Restore'])
        for (const ask of [execute, check]) {
          const { status, json } = await ask(service, event, command, { token });
          assert.deepEqual([status, json.code], [409, 'booking-conflict']);
        }
    assert.deepEqual(await worldOf(service), world);
    assert.equal((await execute(service, third, 'Cancel', { token })).status, 200);
  });

  test(`[bookings.13] Restore on a time that was taken meanwhile is 409 booking-overlap, and nothing changes (${engine})`, async () => {
    const event = eventOf(await execute(service, await one({ hours: 2 }), 'Cancel', { token }));
    await one({ startAt: tomorrow() + hourMs + 55 * minuteMs, userId: 1002 });
    await refused(event, 'Restore', 409, 'booking-overlap');
    await giveSettings(service, { ...laundry, BookingMaxOpen: '1', Bookable: 'false' });
    await refused(event, 'Restore', 409, 'booking-overlap');
  });

  test(`[bookings.13] bookings that abut, and those of other units, are in nobody’s way (${engine})`, async () => {
    const event = eventOf(await execute(service, await one(), 'Cancel', { token }));
    await one({ startAt: tomorrow() + hourMs });
    await one({ startAt: tomorrow() - hourMs });
    await one({ unitId: 2 });
    await one({ locationId: 2 });
    assert.equal((await execute(service, event, 'Restore', { token })).status, 200);
  });

  test(`[bookings.13] a time that was used by somebody else is not restored, though that one is over (${engine})`, async () => {
    const start = day + 30 * minuteMs;
    const event = eventOf(await execute(service, await one({ startAt: start, hours: 3 }), 'Cancel', { token }));
    await one({ startAt: start, userId: 1002 });
    clock = start + 2 * hourMs;
    await refused(event, 'Restore', 409, 'booking-overlap');
  });

  test(`[bookings.14] a command on a booking that is over is 422 booking-ended, to the millisecond, whatever its state (${engine})`, async () => {
    const startAt = day + 30 * minuteMs;
    const booked = await one({ startAt });
    const gone = await one({ startAt: startAt, unitId: 2, cancelled });
    clock = startAt + hourMs;
    for (const event of [booked, gone])
      for (const command of ['Cancel', 'Restore']) await refused(event, command, 422, 'booking-ended');
    clock -= 1;
    assert.equal((await execute(service, booked, 'Cancel', { token })).status, 200);
    assert.equal((await execute(service, gone, 'Restore', { token })).status, 200);
  });

  test(`[bookings.15] a command that does not fit the state is 422 with the reason (${engine})`, async () => {
    await refused(await one(), 'Restore', 422, 'booking-not-allowed', 'not-cancelled');
    await refused(
      await one({ startAt: tomorrow() + dayMs, cancelled }),
      'Cancel',
      422,
      'booking-not-allowed',
      'not-booked',
    );
  });

  const rules: [code: string, command: string, settings: Record<string, string>, after?: number][] = [
    ['cancel-deadline', 'Cancel', { BookingCancelDeadline: '1470' }, 1],
    ['notice', 'Restore', { BookingNotice: '1470' }, 1],
    ['horizon', 'Restore', { BookingHorizon: '0' }],
    ['not-bookable', 'Restore', { Bookable: 'false' }],
  ];
  for (const [code, command, settings, later = 0] of rules)
    test(`[bookings.15] the unit’s rule ${code} refuses ${command} with 422 and its code, exactly as far as it goes (${engine})`, async () => {
      const event = await one(command === 'Restore' ? { cancelled } : {});
      await giveSettings(service, { ...laundry, ...settings });
      clock = day + later;
      await refused(event, command, 422, 'booking-not-allowed', code);
      clock = later > 0 ? day : day + dayMs;
      if (code === 'not-bookable') await giveSettings(service, laundry);
      assert.equal((await execute(service, event, command, { token })).status, 200);
    });

  const limits = [
    ['max-open', 'BookingMaxOpen'],
    ['max-per-day', 'BookingMaxPerDay'],
    ['max-per-week', 'BookingMaxPerWeek'],
    ['max-per-month', 'BookingMaxPerMonth'],
  ] as const;
  for (const [at, [code, setting]] of limits.entries())
    test(`[bookings.15] a resident’s ${code} is counted over the units of the calendar in the location (${engine})`, async () => {
      // Residents and months that no other test counts.
      const userId = 1100 + at;
      const startAt = day + (at + 2) * 70 * dayMs;
      clock = startAt - dayMs;
      const candidate = await one({ userId, startAt, cancelled });
      await giveSettings(service, { ...laundry, [setting]: '2' });
      await giveSettings(service, { ...laundry, BookingCalendar: 'Other' }, { unitId: 2 });
      await one({ userId, startAt: startAt + hourMs });
      // Of another resident, another calendar, another location, and cancelled.
      await one({ userId: 1002, startAt: startAt + 2 * hourMs });
      await one({ userId, unitId: 2, startAt: startAt + 2 * hourMs });
      await one({ userId, locationId: 2, startAt: startAt + 2 * hourMs });
      await one({ userId, startAt: startAt + 4 * hourMs, cancelled });
      assert.equal((await check(service, candidate, 'Restore', { token })).json.allowed, true);
      await giveSettings(service, laundry, { unitId: 2 });
      await refused(candidate, 'Restore', 422, 'booking-not-allowed', code);
      await giveSettings(service, { ...laundry, [setting]: '3' });
      assert.equal((await execute(service, candidate, 'Restore', { token })).status, 200);
    });

  test(`a unit that is out of use takes no booking back but can be cleared of one; nothing is done to one that is deleted (${engine})`, async () => {
    const [booked, gone] = [await one(), await one({ startAt: tomorrow() + hourMs, cancelled })];
    await changeUnit(service, { enabled: 0 });
    await refused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-disabled');
    await changeUnit(service, { deleted_at: day });
    await refused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-deleted');
    await refused(booked, 'Cancel', 422, 'booking-not-allowed', 'unit-deleted');
    await changeUnit(service, { deleted_at: null });
    assert.equal((await execute(service, booked, 'Cancel', { token })).status, 200);
    await changeUnit(service, { enabled: 1 });
  });

  test(`[bookings.04, bookings.10] Cancel and Restore are all there is, spelled just so, by POST and without a body (${engine})`, async () => {
    const event = await one();
    const world = await worldOf(service);
    for (const command of ['cancel', 'CANCEL', 'Delete', 'Move', 'Complete', 'Cancel%20', 'Book'])
      for (const ask of [execute, check]) {
        const { status, json } = await ask(service, event, command, { token });
        assert.deepEqual([status, json.code], [400, 'invalid-request'], command);
      }
    for (const options of [{ body: { why: 'x' } }, { body: [1] }, { body: 'x' }, { rawBody: '{ no JSON' }])
      assert.equal((await execute(service, event, 'Cancel', { token, ...options })).status, 400);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      assert.equal((await service.call(method, commandPath(event), { token })).status, 405, method);
    for (const path of [commandPath(event), `${commandPath(event)}/check`])
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await service.call(method, path, { token })).status, 405, method);
    assert.equal((await service.call('POST', `${commandPath(event)}?force=true`, { token })).status, 400);
    assert.deepEqual(await worldOf(service), world);
    assert.equal((await execute(service, event, 'Cancel', { token, body: {} })).status, 200, 'an empty one is none');
  });

  test(`malformed and foreign KIDs are 400, no token 401 (${engine})`, async () => {
    const event = await one();
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
        const { status, json } = await service.call(method, path + end, { token });
        assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
      }
      for (const as of [undefined, 'unknown'])
        assert.equal((await service.call(method, commandPath(event) + end, { token: as })).status, 401);
    }
  });

  test(`[bookings.02, auth.16] each missing right is 403, a reader’s Unit Write among them, and the booking stays (${engine})`, async () => {
    const event = await one();
    const world = await worldOf(service);
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
      const as = await tokenOf(options);
      for (const ask of [execute, check]) {
        const { status, json } = await ask(service, event, 'Cancel', { token: as });
        assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', detail]);
      }
    }
    assert.deepEqual(await worldOf(service), world);
    const exactly = await tokenOf({
      tabs: ['Bookings1'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 1 }],
    });
    assert.equal((await check(service, event, 'Cancel', { token: exactly })).json.allowed, true);
    assert.equal((await execute(service, event, 'Cancel', { token: exactly })).status, 200);
  });

  test(`[auth.40, bookings.05] an event that is missing, of another bank, of a deleted location or out of sight is 404, byte for byte the same (${engine})`, async () => {
    const event = await one();
    const elsewhere = await one({ locationId: 2 });
    const other = await book(service, { startAt: tomorrow() }, 1002, day);
    const bankWide = await tokenOf({ grants: [{ bankId: 1002, locationId: 0 }] });
    const narrow = await tokenOf({
      grants: [
        { bankId: 1001, locationId: 1 },
        { bankId: 1002, locationId: 77 },
      ],
    });
    const at = (bank: number, kid: string, command = 'Cancel'): string =>
      `/api/v1/banks/sund-B${bank}/bookings/${kid}/commands/${command}`;
    const missing: [as: string, path: string][] = [
      [token, at(1001, 'sund-B1001-E999999')],
      [token, at(1001, `sund-B1001-E${2n ** 53n}`)],
      [token, at(1001, `sund-B1001-E${2n ** 63n - 1n}`)],
      [token, at(1001, `sund-B1002-E${other}`)],
      [token, at(1002, `sund-B1001-E${event}`)],
      [token, at(1003, 'sund-B1003-E1')],
      [token, at(9999, 'sund-B9999-E1')],
      [bankWide, at(1001, `sund-B1001-E${event}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`)],
      [narrow, at(1001, `sund-B1001-E${elsewhere}`, 'Restore')],
      [narrow, at(1002, `sund-B1002-E${other}`)],
    ];
    const world = [await worldOf(service), await worldOf(service, 1002)];
    const replies: Reply[] = [];
    const ask = async (as: string, path: string): Promise<void> => {
      replies.push(await service.call('POST', path, { token: as }));
      replies.push(await service.call('GET', `${path}/check`, { token: as }));
    };
    for (const [as, path] of missing) await ask(as, path);
    const location = (deleted_at: number | null) =>
      service.write('sund', (db) =>
        db
          .updateTable('locations')
          .set({ deleted_at })
          .where('bank_id', '=', 1001)
          .where('location_id', '=', 2)
          .execute(),
      );
    await location(day);
    await ask(token, at(1001, `sund-B1001-E${elsewhere}`));
    await location(null);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(refusalOf)).size, 1);
    assert.deepEqual([await worldOf(service), await worldOf(service, 1002)], world);
    assert.equal((await execute(service, event, 'Cancel', { token: narrow })).status, 200);
  });

  test(`[bookings.02] rights are asked for again inside the write: what was withdrawn a moment ago opens nothing (${engine})`, async () => {
    const event = await one();
    const world = await worldOf(service);
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
      const made = await makeToken(service, { livesMs: 2000 * dayMs });
      assert.equal((await check(service, event, 'Cancel', { token: made.token })).status, 200);
      await service.write('sund', (db) => db.deleteFrom(table).where('manager_id', '=', made.managerId).execute());
      const reply = await execute(service, event, 'Cancel', { token: made.token });
      assert.deepEqual([reply.status, reply.json.code], [status, code], table);
    }
    assert.deepEqual(await worldOf(service), world);
  });

  test(`with each command a record of its event is queued towards the unit’s device (${engine})`, async () => {
    const known = await storedSyncs(service);
    const event = eventOf(await execute(service, await one({ unitId: 2 }), 'Cancel', { token }));
    await execute(service, event, 'Restore', { token });
    const queued = { bank_id: 1001, subject_kind: 'booking', location_id: 1, unit_id: 2, state: 'queued', attempts: 0 };
    const times = { created_at: day, updated_at: day };
    assert.deepEqual((await storedSyncs(service)).slice(known.length), [
      { ...queued, ...times, sync_id: known.length + 1, subject_id: event },
      { ...queued, ...times, sync_id: known.length + 2, subject_id: event + 1 },
    ]);
  });

  test(`slots that nobody needs any more go with the next command, those of the last two weeks stay (${engine})`, async () => {
    const slots = async (): Promise<number[]> => {
      const all = await service.services.databases
        .of('sund')
        .read({ deadlineMs: 5000 }, (db) =>
          db.selectFrom('booking_slots').select('slot').where('bank_id', '=', 1001).where('unit_id', '=', 2).execute(),
        );
      return all.map(({ slot }) => slot).toSorted((a, b) => a - b);
    };
    clock = day;
    await one({ unitId: 2, startAt: day - hourMs });
    const event = await one({ unitId: 2, startAt: day + 21 * dayMs });
    const slot = (day - hourMs) / (5 * minuteMs);
    clock = day + 14 * dayMs - hourMs;
    const again = eventOf(await execute(service, event, 'Cancel', { token }));
    assert.ok((await slots()).includes(slot));
    clock = day + 14 * dayMs - hourMs + 5 * minuteMs;
    await execute(service, again, 'Restore', { token });
    const left = await slots();
    assert.ok(!left.includes(slot) && left.includes(slot + 1));
  });

  test(`a bank that somebody holds for longer than the deadline is 503, and nothing is written (${engine})`, async () => {
    const event = await one();
    const world = await worldOf(service);
    const holder = await outsiderOf(locationOf(storage));
    await holder.run(engine === 'sqlite' ? 'begin immediate' : 'start transaction');
    await holder.run('update booking_heads set next_event_id = next_event_id where bank_id = 1001');
    const reply = await execute(service, event, 'Cancel', { token });
    assert.equal(reply.status, 503, reply.text);
    assert.ok(Number(reply.headers['retry-after']) > 0);
    await holder.run('rollback');
    await holder.close();
    assert.deepEqual(await worldOf(service), world);
    assert.equal((await execute(service, event, 'Cancel', { token })).status, 200);
  });
});
