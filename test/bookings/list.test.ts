// GetBankBookings: what an item tells, which bookings a query selects and in what order, and to whom.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { refusalOf } from '../support/account.ts';
import {
  book,
  bookingsPath,
  cancelled,
  changeUnit,
  dayMs,
  giveSettings,
  now,
  openBookable,
} from '../support/bookings.ts';
import type { Reply } from '../support/call.ts';
import { makeBank, makeResident, makeToken, type ManagerOptions } from '../support/factories.ts';
import { instantOf, ms2000Of } from '../support/oracle.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

const at = (text: string): number => ms2000Of(text);
const today = 'from=2026-06-15&through=2026-06-15';
const week = 'from=2026-06-12&through=2026-06-20';
const needed = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'] as const;

onBothEngines((engine) => {
  let service: Service;
  let token: string;
  /** Event ids, by what is special about the booking. */
  const events: Record<string, number> = {};
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(now).epochMilliseconds });
    ({ token } = await makeToken(service));
    await openBookable(service, { residents: [1001, 1002] });
    await openBookable(service, { bankId: 1002 });
    await service.write('sund', async (db) => {
      await makeBank(db, { bankId: 1003, deletedAt: 1 });
      await makeResident(db, 1003, { expiredAt: now });
      await makeResident(db, 1004, { name: 'Another Resident' });
    });
    const bookings: Record<string, Parameters<typeof book>[1]> = {
      over: { startAt: at('2026-06-15T05:00:00Z'), priceMinor: 2500n },
      running: { startAt: at('2026-06-15T09:00:00Z'), userId: 1002 },
      ahead: { startAt: at('2026-06-15T12:00:00Z'), unitId: 2, userId: 1004, priceMinor: 9_007_199_254_740_993n },
      gone: { startAt: at('2026-06-15T15:00:00Z'), locationId: 2, cancelled },
      // Ends on the next day; in London it starts on the day before that in Copenhagen begins.
      night: { startAt: at('2026-06-15T21:30:00Z'), hours: 3 },
      tomorrow: { startAt: at('2026-06-15T22:00:00Z'), unitId: 2 },
      yesterday: { startAt: at('2026-06-14T21:55:00Z'), locationId: 2 },
      expired: { startAt: at('2026-06-16T10:00:00Z'), userId: 1003 },
      guest: { startAt: at('2026-06-17T10:00:00Z'), userId: 1000 },
      erased: { startAt: at('2026-06-18T10:00:00Z'), userId: 0 },
    };
    for (const [name, change] of Object.entries(bookings)) events[name] = await book(service, change);
    await book(service, {}, 1002);
  });
  after(() => service.stop());

  const ask = (query = '', as = token, headers = {}): Promise<Reply> =>
    service.call('GET', bookingsPath(query), { token: as, headers });
  /** What a query selects, by what is special about it, in its order. */
  async function selected(query = '', as = token): Promise<string[]> {
    const { status, json, text } = await ask(query, as);
    assert.equal(status, 200, text);
    const names = new Map(Object.entries(events).map(([name, event]) => [`sund-B1001-E${event}`, name]));
    return json.items.map(({ eventKid }: { eventKid: string }) => names.get(eventKid) ?? eventKid);
  }
  const tokenOf = async (options: ManagerOptions): Promise<string> => (await makeToken(service, options)).token;

  test(`[bookings.05, bookings.09] an item tells what is booked, by whom, when, for how much, and what may be done to it (${engine})`, async () => {
    const { status, json, headers } = await ask(today, token, { 'accept-language': 'da' });
    assert.equal(status, 200);
    assert.deepEqual([headers['content-language'], headers['cache-control']], ['da', 'no-store']);
    assert.deepEqual([json.offset, json.limit, json.hasMore], [0, 50, false]);
    assert.deepEqual(json.items[0], {
      eventKid: `sund-B1001-E${events['over']}`,
      state: 'Completed',
      startUtc: '2026-06-15T05:00:00.000Z',
      endUtc: '2026-06-15T06:00:00.000Z',
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Vaskemaskine 1',
      locationKid: 'sund-B1001-L1',
      locationName: 'Location 1',
      userKid: 'sund-B1001-R1001',
      userName: 'Demo Resident 1001',
      priceMinor: 2500,
      currency: 'DKK',
      commands: [],
    });
    const states = json.items.map(({ state, commands }: { state: string; commands: string[] }) => [state, ...commands]);
    assert.deepEqual(states, [
      ['Completed'],
      ['Booked', 'Cancel'],
      ['Booked', 'Cancel'],
      ['Cancelled', 'Restore'],
      ['Booked', 'Cancel'],
    ]);
  });

  test(`[bookings.09] a price is exact over 64 bits (${engine})`, async () => {
    assert.match((await ask(today)).text, /"priceMinor":9007199254740993,/);
  });

  test(`[bookings.07] from and through are inclusive local days of timeZone, today and the tenant’s zone by default (${engine})`, async () => {
    const ofToday = ['over', 'running', 'ahead', 'gone', 'night'];
    for (const query of ['', today, 'from=2026-06-15', 'through=2026-06-15', `${today}&timeZone=Europe/Copenhagen`])
      assert.deepEqual(await selected(query), ofToday, query);
    for (const zone of ['Romance Standard Time', 'romance%20standard%20time', 'europe/copenhagen'])
      assert.deepEqual(await selected(`${today}&timeZone=${encodeURIComponent(decodeURIComponent(zone))}`), ofToday);
    assert.deepEqual(await selected(`${today}&timeZone=Europe/London`), [
      'over',
      'running',
      'ahead',
      'gone',
      'night',
      'tomorrow',
    ]);
    assert.deepEqual(await selected('from=2026-06-14&through=2026-06-14'), ['yesterday']);
    assert.deepEqual(await selected('from=2026-06-16&through=2026-06-17'), ['tomorrow', 'expired', 'guest']);
  });

  test(`[bookings.08] a booking belongs to the local day on which it starts, even when it ends on the next (${engine})`, async () => {
    assert.ok((await selected(today)).includes('night'));
    assert.ok(!(await selected('from=2026-06-16&through=2026-06-16')).includes('night'));
  });

  test(`[bookings.07] 367 days are allowed, 368 are not, nor an interval that runs backwards, nor what is no day or zone (${engine})`, async () => {
    assert.equal((await ask('from=2026-06-15&through=2027-06-16')).status, 200);
    for (const [query, path] of [
      ['from=2026-06-15&through=2027-06-17', 'through'],
      ['from=2026-06-16&through=2026-06-15', 'through'],
      ['from=2026-02-30', 'from'],
      ['from=15-06-2026', 'from'],
      ['through=2026-06-15T00:00:00Z', 'through'],
      ['timeZone=Europe/Nowhere', 'timeZone'],
      ['timeZone=%2B02:00', 'timeZone'],
      ['timeZone=', 'timeZone'],
    ] as const) {
      const { status, json } = await ask(query);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
      assert.equal(json.errors[0].path, `query.${path}`);
    }
  });

  test(`[bookings.06] locationKid, unitKid, userKid and state narrow the list, alone and together (${engine})`, async () => {
    const narrowed: [query: string, found: string[]][] = [
      ['locationKid=sund-B1001-L2', ['yesterday', 'gone']],
      ['unitKid=sund-B1001-L1-U2', ['ahead', 'tomorrow']],
      ['locationKid=sund-B1001-L1&unitKid=sund-B1001-L1-U2', ['ahead', 'tomorrow']],
      ['locationKid=sund-B1001-L2&unitKid=sund-B1001-L1-U2', []],
      ['userKid=sund-B1001-R1004', ['ahead']],
      ['userKid=sund-B1001-R1000', ['guest']],
      ['userKid=sund-B1001-R1001&unitKid=sund-B1001-L1-U2', ['tomorrow']],
      ['state=Completed', ['yesterday', 'over']],
      ['state=Booked', ['running', 'ahead', 'night', 'tomorrow', 'expired', 'guest', 'erased']],
      ['state=Cancelled', ['gone']],
      ['state=Cancelled&userKid=sund-B1001-R1002', []],
    ];
    for (const [query, found] of narrowed) {
      assert.deepEqual(await selected(`${week}&${query}`), found, query);
      assert.deepEqual(await selected(`${week}&sort=start&filter=%20&${query}`), found, `${query}, by names`);
    }
    assert.deepEqual(await selected(`${week}&state=all`), await selected(week));
  });

  test(`[bookings.06] what names nothing selects nothing, and what is out of sight does not differ from it (${engine})`, async () => {
    const narrow = await tokenOf({ grants: [{ bankId: 1001, locationId: 1 }] });
    for (const query of [
      'locationKid=sund-B1001-L2',
      'locationKid=sund-B1001-L77',
      'unitKid=sund-B1001-L2-U1',
      'unitKid=sund-B1001-L1-U77',
      'userKid=sund-B1001-R4242',
    ])
      assert.equal((await ask(`${week}&${query}`, narrow)).text, '{"items":[],"offset":0,"limit":50,"hasMore":false}');
  });

  test(`[bookings.06] KIDs of another bank, tenant or kind, unknown states and unknown names are 400 (${engine})`, async () => {
    for (const query of [
      'locationKid=sund-B1002-L1',
      'unitKid=sund-B1002-L1-U1',
      'userKid=sund-B1002-R1001',
      'locationKid=fjord-B1001-L1',
      'locationKid=sund-B1001-L1-U1',
      'unitKid=sund-B1001-L1',
      'userKid=sund-M1001',
      'userKid=sund-B1001-R01001',
    ]) {
      const { status, json } = await ask(query);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], query);
    }
    for (const query of [
      'state=booked',
      'state=Restored',
      'sort=name',
      'direction=up',
      'limit=0',
      'limit=201',
      'offset=-1',
      'offset=100001',
      `filter=${'x'.repeat(129)}`,
      'page=2',
      'state=all&STATE=all',
    ]) {
      const { status, json } = await ask(query);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
    for (const path of ['sund-B01001', 'fjord-B1001', 'sund-B1001-L1', 'B1001']) {
      const { status, json } = await service.call('GET', `/api/v1/banks/${path}/bookings`, { token });
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
    }
  });

  test(`[bookings.06] filter finds literal text in names as they are shown, whatever its case (${engine})`, async () => {
    const found: [filter: string, names: string[]][] = [
      ['WASHER 2', ['ahead', 'tomorrow']],
      ['location 2', ['yesterday', 'gone']],
      ['another', ['ahead']],
      ['resident 1002', ['running']],
      ['resident 1003', []],
      ['{washer}', []],
      ['%', []],
      ['_', []],
      ['vaskemaskine', []],
    ];
    for (const [filter, names] of found)
      assert.deepEqual(await selected(`${week}&filter=${encodeURIComponent(filter)}`), names, filter);
    const { json } = await ask(`${week}&filter=vaskemaskine%202`, token, { 'accept-language': 'da' });
    assert.equal(json.items.length, 2);
  });

  test(`[bookings.05] the list is sorted by start, unit or user, either way, ties by start and then in the order of booking (${engine})`, async () => {
    const byStart = [
      'yesterday',
      'over',
      'running',
      'ahead',
      'gone',
      'night',
      'tomorrow',
      'expired',
      'guest',
      'erased',
    ];
    assert.deepEqual(await selected(week), byStart);
    assert.deepEqual(await selected(`${week}&sort=start&direction=asc`), byStart);
    assert.deepEqual(await selected(`${week}&direction=desc`), byStart.toReversed());
    assert.deepEqual(await selected(`${week}&direction=desc&filter=%20`), byStart.toReversed());
    const first = byStart.filter((name) => !['ahead', 'tomorrow'].includes(name));
    assert.deepEqual(await selected(`${week}&sort=unit`), [...first, 'ahead', 'tomorrow']);
    assert.deepEqual(await selected(`${week}&sort=unit&direction=desc`), ['ahead', 'tomorrow', ...first]);
    const unnamed = ['expired', 'guest', 'erased'];
    const named = ['ahead', 'yesterday', 'over', 'gone', 'night', 'tomorrow', 'running'];
    assert.deepEqual(await selected(`${week}&sort=user`), [...unnamed, ...named]);
  });

  test(`[bookings.05] pages put together are the list, whatever it is sorted by (${engine})`, async () => {
    for (const order of ['sort=start', 'sort=unit&direction=desc', 'sort=user', 'filter=washer']) {
      const whole = await selected(`${week}&${order}`);
      const pages: string[] = [];
      for (let offset = 0; ; offset += 3) {
        const query = `${week}&${order}&offset=${offset}&limit=3`;
        const { json } = await ask(query);
        pages.push(...(await selected(query)));
        assert.equal(json.hasMore, offset + 3 < whole.length);
        if (json.hasMore === false) break;
      }
      assert.deepEqual(pages, whole, order);
    }
    assert.deepEqual(await selected(`${week}&offset=100000`), []);
  });

  test(`[bookings.09] an identity that has expired is shown as the GDPR user, and nobody is found by it (${engine})`, async () => {
    const kidsOf = async (as: string): Promise<string[]> => {
      const { json } = await ask('from=2026-06-16&through=2026-06-18', as);
      for (const { userKid, userName } of json.items)
        assert.equal(userName, userKid === 'sund-B1001-R1001' ? 'Demo Resident 1001' : '');
      return json.items.map(({ userKid }: { userKid: string }) => userKid.split('-').at(-1));
    };
    assert.deepEqual(await kidsOf(token), ['R1001', 'R0', 'R1000', 'R0']);
    for (const user of ['R0', 'R1003']) assert.deepEqual(await selected(`${week}&userKid=sund-B1001-${user}`), []);

    // The manager's own retention: the day of yesterday's booking, in UTC, is the last that keeps its identity.
    const short = await tokenOf({ retentionDays: 1 });
    const { json } = await ask('from=2026-06-12', short);
    assert.equal(json.items[0].userKid, 'sund-B1001-R1001');
    const early = await book(service, { startAt: at('2026-06-13T23:55:00Z'), hours: 1 });
    const named = await ask('from=2026-06-12&through=2026-06-14', short);
    assert.deepEqual(
      named.json.items.map((item: { userKid: string; userName: string }) => [item.userKid, item.userName]),
      [
        ['sund-B1001-R0', ''],
        ['sund-B1001-R1001', 'Demo Resident 1001'],
      ],
    );
    assert.deepEqual(await selected('from=2026-06-12&through=2026-06-14&userKid=sund-B1001-R1001', short), [
      'yesterday',
    ]);
    await service.write('sund', (db) => db.deleteFrom('bookings').where('event_id', '=', early).execute());
  });

  test(`[bookings.05] a location-limited grant sees only its bookings, by every filter and order (${engine})`, async () => {
    const second = await tokenOf({ grants: [{ bankId: 1001, locationId: 2 }] });
    const both = await tokenOf({
      grants: [1, 2].map((locationId) => ({ bankId: 1001, locationId })),
    });
    for (const query of ['', '&sort=unit', '&sort=user', '&filter=washer'])
      assert.deepEqual(await selected(week + query, second), ['yesterday', 'gone'], query);
    assert.deepEqual(await selected(week, both), await selected(week));
    const bankWide = await tokenOf({ grants: [{ bankId: 1001, locationId: 0 }] });
    assert.deepEqual(await selected(week, bankWide), await selected(week));
  });

  test(`[bookings.01, bookings.05, auth.16] each missing right is 403; Unit Write is asked for by the commands alone (${engine})`, async () => {
    const without: [detail: string, options: ManagerOptions][] = [
      ['The operation needs the Tab Bookings1.', { tabs: tabs.filter((tab) => tab !== 'Bookings1') }],
      ...needed.map((missing): [string, ManagerOptions] => [
        `The operation needs the permission ${missing}.`,
        { permissions: permissions.filter((each) => each !== missing) },
      ]),
    ];
    for (const [detail, options] of without) {
      const { status, json } = await ask('', await tokenOf(options));
      assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', detail]);
    }
    assert.equal((await service.call('GET', bookingsPath())).status, 401);
    const reader = await tokenOf({
      tabs: ['Bookings1'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 1 }],
    });
    const { status, json } = await ask(today, reader);
    assert.equal(status, 200);
    assert.ok(json.items.every(({ commands }: { commands: string[] }) => commands.length === 0));
  });

  test(`[auth.40, bookings.05] a bank that is missing, deleted or out of sight is 404, byte for byte the same (${engine})`, async () => {
    const elsewhere = await tokenOf({ grants: [{ bankId: 1002, locationId: 0 }] });
    const replies = [
      await service.call('GET', bookingsPath('', 9999), { token }),
      await service.call('GET', bookingsPath('', 1003), { token }),
      await service.call('GET', bookingsPath('sort=user', 1003), { token }),
      await ask('', elsewhere),
      await ask(week, elsewhere),
    ];
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(refusalOf)).size, 1);
  });

  test(`[auth.40] bookings of a deleted location are left out, those of a deleted unit stay, named, and nothing can be done to them (${engine})`, async () => {
    const location = (deleted_at: number | null) =>
      service.write('sund', (db) =>
        db
          .updateTable('locations')
          .set({ deleted_at })
          .where('bank_id', '=', 1001)
          .where('location_id', '=', 2)
          .execute(),
      );
    const whole = await selected(week);
    await location(now);
    await changeUnit(service, { deleted_at: now }, 2);
    for (const query of ['', '&filter=washer'])
      assert.deepEqual(
        await selected(week + query),
        whole.filter((name) => !['yesterday', 'gone'].includes(name)),
      );
    const { json } = await ask(`${week}&unitKid=sund-B1001-L1-U2`);
    assert.deepEqual(
      json.items.map(({ unitName, commands }: { unitName: string; commands: string[] }) => [unitName, commands.length]),
      [
        ['Washer 2', 0],
        ['Washer 2', 0],
      ],
    );
    await location(null);
    await changeUnit(service, { deleted_at: null }, 2);
  });

  test(`[bookings.09] commands[] follow the rules of each booking’s own unit (${engine})`, async () => {
    const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };
    const commandsOf = async (): Promise<Record<string, string[]>> => {
      const { json } = await ask(today);
      const entries = json.items.map(({ unitKid, state, commands }: Record<string, string>) => [
        `${unitKid} ${state}`,
        commands,
      ]);
      return Object.fromEntries(entries);
    };
    await giveSettings(service, { ...laundry, BookingCancelDeadline: '1440' });
    await giveSettings(service, { ...laundry, BookingNotice: '1440' }, { locationId: 2 });
    const bound = await commandsOf();
    assert.deepEqual(bound['sund-B1001-L1-U1 Booked'], []);
    assert.deepEqual(bound['sund-B1001-L1-U2 Booked'], ['Cancel']);
    assert.deepEqual(bound['sund-B1001-L2-U1 Cancelled'], []);
    await giveSettings(service, laundry);
    await giveSettings(service, laundry, { locationId: 2 });
    const taking = await book(service, { startAt: at('2026-06-15T15:30:00Z'), locationId: 2 });
    assert.deepEqual((await commandsOf())['sund-B1001-L2-U1 Cancelled'], []);
    await service.write('sund', async (db) => {
      const [row] = await db.selectFrom('bookings').select('booking_id').where('event_id', '=', taking).execute();
      await db.deleteFrom('bookings').where('event_id', '=', taking).execute();
      await db
        .deleteFrom('booking_slots')
        .where('booking_id', '=', row?.booking_id ?? 0)
        .execute();
    });
    assert.deepEqual((await commandsOf())['sund-B1001-L2-U1 Cancelled'], ['Restore']);
  });

  test(`[bookings.07] a day of a change of the clocks has 23 or 25 hours (${engine})`, async () => {
    const starts = ['2026-10-24T22:00:00Z', '2026-10-25T22:55:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:55:00Z'];
    for (const start of [...starts, '2026-10-25T23:00:00Z', '2026-03-29T22:00:00Z'])
      await book(service, { startAt: at(start), hours: 1 / 12 }, 1002);
    for (const [day, found] of [
      ['2026-10-25', starts.slice(0, 2)],
      ['2026-03-29', starts.slice(2)],
    ]) {
      const { json } = await service.call('GET', bookingsPath(`from=${String(day)}&through=${String(day)}`, 1002), {
        token,
      });
      assert.deepEqual(
        json.items.map(({ startUtc }: { startUtc: string }) => startUtc.replace('.000', '')),
        found,
      );
    }
  });
});

describe('without storage', () => {
  test('storage that cannot be reached is 503 storage-unavailable (sqlite)', async () => {
    const service = await startService('sqlite', { clock: () => instantOf(now).epochMilliseconds });
    await openBookable(service);
    const event = await book(service);
    const { token } = await makeToken(service, { livesMs: 30 * dayMs });
    const { storage } = service.services.config;
    assert.ok(storage.engine === 'sqlite');
    const file = join(storage.directory, 'sund.sqlite');
    const kid = `sund-B1001-E${event}`;
    const ask = () => [
      service.call('GET', bookingsPath('from=2026-06-15&through=2026-06-20'), { token }),
      service.call('GET', `/api/v1/banks/sund-B1001/bookings/${kid}/commands/Cancel/check`, { token }),
    ];
    for (const { status } of await Promise.all(ask())) assert.equal(status, 200);
    renameSync(file, `${file}.away`);
    // A reader looks for its file every second.
    await pause(1100);
    for (const { status, json } of await Promise.all(ask()))
      assert.deepEqual([status, json.code], [503, 'storage-unavailable']);
    renameSync(`${file}.away`, file);
    await service.stop();
  });
});
