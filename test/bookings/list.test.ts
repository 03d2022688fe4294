// GetBankBookings: the fields and the commands of an item.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingListSuite, today, week } from '../support/booking-list-suite.ts';
import { insertBooking, replaceUnitSettings } from '../support/bookings.ts';
import { ms2000Of } from '../support/account-oracle.ts';

bookingListSuite(({ service, manager, issueToken, events, fetchList, listSelectedNames }) => {
  test('[bookings.05, bookings.09] an item shows what is booked, by whom, when and for how much, and its commands', async () => {
    const { status, json, headers } = await fetchList(today, manager.token, { 'accept-language': 'da' });
    assert.equal(status, 200);
    assert.deepEqual([headers['content-language'], headers['cache-control']], ['da', 'no-store']);
    assert.deepEqual([json.offset, json.limit, json.hasMore], [0, 50, false]);
    assert.deepEqual(json.items[0], {
      eventKid: `sund-B1001-E${events['over']}`,
      firstEventKid: `sund-B1001-E${events['over']}`,
      state: 'Completed',
      startUtc: '2026-06-15T05:00:00.000Z',
      endUtc: '2026-06-15T06:00:00.000Z',
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Vaskemaskine 1',
      locationKid: 'sund-B1001-L1',
      locationName: 'Location 1',
      timeZone: 'Europe/Copenhagen',
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

  test('[bookings.09] a price is exact over 64 bits', async () => {
    assert.match((await fetchList(today)).text, /"priceMinor":9007199254740993,/);
  });

  test('[bookings.09] an identity that has expired is shown as the GDPR user, and nobody is found by it', async () => {
    const kidsOf = async (as: string): Promise<string[]> => {
      const { json } = await fetchList('from=2026-06-16&through=2026-06-18', as);
      for (const { userKid, userName } of json.items)
        assert.equal(userName, userKid === 'sund-B1001-R1001' ? 'Demo Resident 1001' : '');
      return json.items.map(({ userKid }: { userKid: string }) => userKid.split('-').at(-1));
    };
    assert.deepEqual(await kidsOf(manager.token), ['R1001', 'R0', 'R1000', 'R0']);
    for (const user of ['R0', 'R1003'])
      assert.deepEqual(await listSelectedNames(`${week}&userKid=sund-B1001-${user}`), []);

    // The manager's own retention: the day of yesterday's booking, in UTC, is the last that keeps its identity.
    const short = await issueToken({ retentionDays: 1 });
    const { json } = await fetchList('from=2026-06-12', short);
    assert.equal(json.items[0].userKid, 'sund-B1001-R1001');
    const early = await insertBooking(service, { startAt: ms2000Of('2026-06-13T23:55:00Z'), hours: 1 });
    const named = await fetchList('from=2026-06-12&through=2026-06-14', short);
    assert.deepEqual(
      named.json.items.map((item: { userKid: string; userName: string }) => [item.userKid, item.userName]),
      [
        ['sund-B1001-R0', ''],
        ['sund-B1001-R1001', 'Demo Resident 1001'],
      ],
    );
    assert.deepEqual(await listSelectedNames('from=2026-06-12&through=2026-06-14&userKid=sund-B1001-R1001', short), [
      'yesterday',
    ]);
    await service.write('sund', (db) => db.deleteFrom('bookings').where('event_id', '=', early).execute());
  });

  test('[bookings.09] commands[] follow the rules of each booking’s own unit', async () => {
    const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };
    const commandsOf = async (): Promise<Record<string, string[]>> => {
      const { json } = await fetchList(today);
      const entries = json.items.map(({ unitKid, state, commands }: Record<string, string>) => [
        `${unitKid} ${state}`,
        commands,
      ]);
      return Object.fromEntries(entries);
    };
    await replaceUnitSettings(service, { ...laundry, BookingCancelDeadline: '1440' });
    await replaceUnitSettings(service, { ...laundry, BookingNotice: '1440' }, { locationId: 2 });
    const bound = await commandsOf();
    assert.deepEqual(bound['sund-B1001-L1-U1 Booked'], []);
    assert.deepEqual(bound['sund-B1001-L1-U2 Booked'], ['Cancel']);
    assert.deepEqual(bound['sund-B1001-L2-U1 Cancelled'], []);
    await replaceUnitSettings(service, laundry);
    await replaceUnitSettings(service, laundry, { locationId: 2 });
    const taking = await insertBooking(service, { startAt: ms2000Of('2026-06-15T15:30:00Z'), locationId: 2 });
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
});
