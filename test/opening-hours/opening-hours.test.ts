// GetLocationOpeningHours over HTTP: whose hours are shown, and with which fields.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank, createToken } from '../support/factories.ts';
import { testLocationRead } from '../support/location-read-suite.ts';
import { sameHoursEveryDay, insertOpeningException, weekOpeningSettings } from '../support/opening-hours.ts';
import { setUnitType } from '../support/unit-settings.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import { replaceSettings } from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import { testNow } from '../support/times.ts';

type Interval = { from: string; to: string };
type Group = {
  unitKids: string[];
  isOpen: boolean | null;
  nextChange: { atUtc: string; opens: boolean } | null;
  weekly: { days: number[]; intervals: Interval[] }[];
  exceptions: { date: string; intervals: Interval[] | null; text: string }[];
};

const workdays = [1, 2, 3, 4, 5];
const interval = (text: string): Interval => ({ from: text.slice(0, 5), to: text.slice(6) });
const unitKids = (...ids: number[]): string[] => ids.map((id) => `sund-B1001-L1-U${id}`);

testLocationRead({ subPath: 'opening-hours', ruleId: 'hours.05' });

serviceSuite({ now: testNow, manager: false }, ({ service, clock }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { places: { 1: [1, 2, 3, 4, 5, 6, 7], 2: [], 3: [1], 4: [1] } });
      await insertTestBank(db, { bankId: 1002, places: { 1: [1] } });
      const at = { bankId: 1001, locationId: 1 };
      const laundry = weekOpeningSettings(...workdays.map(() => '07:00-22:00'), '10:00-14:00,15:00-18:00', 'closed');
      for (const unitId of [1, 3, 7]) await replaceSettings(db, { ...at, unitId }, laundry);
      await replaceSettings(db, { ...at, unitId: 2 }, [
        ...sameHoursEveryDay('00:00-24:00'),
        ['Bookable', 'true'],
        ['Note', 'closed'],
      ]);
      await replaceSettings(
        db,
        { ...at, unitId: 5 },
        weekOpeningSettings('14:00-02:00', undefined, undefined, undefined, 'closed'),
      );
      await replaceSettings(db, { ...at, unitId: 6 }, [
        ['OpeningMonday', null],
        ['OpeningTuesday', 'all day'],
      ]);
      await db.updateTable('units').set({ deleted_at: 1 }).where('unit_id', '=', 7).execute();
      await insertOpeningException(db, at, '2026-06-13', 'closed', 'Long past');
      await insertOpeningException(db, at, '2026-06-14', '', 'Yesterday');
      await insertOpeningException(db, at, '2026-12-24', 'closed', 'Holiday');
      await insertOpeningException(db, { ...at, unitId: 3 }, '2026-12-24', '22:00-01:00,07:00-12:00', 'Short day');
      await insertOpeningException(db, { ...at, unitId: 3 }, '2026-12-31', 'rubbish', 'Nobody knows');
      // Units of other locations: the answer shows nothing of them.
      await insertOpeningException(db, { bankId: 1002, locationId: 1 }, '2026-06-15', 'closed', 'Another bank');
      await insertOpeningException(db, { bankId: 1001, locationId: 4 }, '2026-06-15', 'closed', 'Another location');
      await replaceSettings(db, { bankId: 1002, locationId: 1, unitId: 1 }, sameHoursEveryDay('closed'));
    });
  });

  // Sessions do not outlive the leaps of the clock.
  async function read(location = 1): Promise<{ locationKid: string; timeZone: string; groups: Group[] }> {
    const { token } = await createToken(service);
    const { status, json, text } = await service.call(
      'GET',
      `/api/v1/locations/sund-B1001-L${location}/opening-hours`,
      {
        token,
      },
    );
    assert.equal(status, 200, text);
    return json;
  }

  test("[hours.01, hours.02, hours.03, hours.06, hours.07, hours.08, hours.09] the hours of a location's units, by schedule", async () => {
    const yesterday = { date: '2026-06-14', intervals: [], text: 'Yesterday' };
    const holiday = { date: '2026-12-24', intervals: [], text: 'Holiday' };
    const weekly = [
      { days: workdays, intervals: [interval('07:00-22:00')] },
      { days: [6], intervals: [interval('10:00-14:00'), interval('15:00-18:00')] },
      { days: [7], intervals: [] },
    ];
    const open = { isOpen: true, nextChange: { atUtc: '2026-06-15T20:00:00.000Z', opens: false }, weekly };
    const short = {
      date: '2026-12-24',
      intervals: [interval('07:00-12:00'), interval('22:00-01:00')],
      text: 'Short day',
    };
    assert.deepEqual(await read(), {
      locationKid: 'sund-B1001-L1',
      timeZone: 'Europe/Copenhagen',
      groups: [
        { unitKids: unitKids(1), ...open, exceptions: [yesterday, holiday] },
        {
          unitKids: unitKids(2),
          isOpen: true,
          nextChange: { atUtc: '2026-12-23T23:00:00.000Z', opens: false },
          weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], intervals: [interval('00:00-24:00')] }],
          exceptions: [yesterday, holiday],
        },
        {
          unitKids: unitKids(3),
          ...open,
          exceptions: [yesterday, short, { date: '2026-12-31', intervals: null, text: 'Nobody knows' }],
        },
        { unitKids: unitKids(4, 6), isOpen: null, nextChange: null, weekly: [], exceptions: [yesterday, holiday] },
        {
          unitKids: unitKids(5),
          isOpen: false,
          nextChange: { atUtc: '2026-06-15T12:00:00.000Z', opens: true },
          weekly: [
            { days: [1], intervals: [interval('14:00-02:00')] },
            { days: [5], intervals: [] },
          ],
          exceptions: [yesterday, holiday],
        },
      ],
    });
  });

  test('[hours.01] a location without units has no groups, one without hours has one', async () => {
    assert.deepEqual((await read(2)).groups, []);
    const { groups } = await read(3);
    assert.deepEqual(groups, [
      { unitKids: ['sund-B1001-L3-U1'], isOpen: null, nextChange: null, weekly: [], exceptions: [] },
    ]);
    const elsewhere = (await read(4)).groups;
    assert.deepEqual(
      elsewhere.map(({ isOpen, exceptions }) => [isOpen, exceptions.map(({ text }) => text)]),
      [[false, ['Another location']]],
    );
  });

  test("[hours.04] the next change is an instant of the location's own clocks, whatever the season", async () => {
    const set = (zone: string) =>
      service.write('sund', (db) =>
        db.updateTable('locations').set({ time_zone: zone }).where('location_id', '=', 1).execute(),
      );
    const table: [zone: string, utc: string, isOpen: boolean, atUtc: string][] = [
      ['Europe/Copenhagen', '2026-03-27T22:00:00Z', false, '2026-03-28T09:00:00.000Z'],
      ['Europe/Copenhagen', '2026-03-29T12:00:00Z', false, '2026-03-30T05:00:00.000Z'],
      ['Europe/Copenhagen', '2026-10-26T05:59:59.999Z', false, '2026-10-26T06:00:00.000Z'],
      ['Europe/London', '2026-06-15T06:30:00Z', true, '2026-06-15T21:00:00.000Z'],
      ['Atlantic/Reykjavik', '2026-06-15T06:30:00Z', false, '2026-06-15T07:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-06-15T12:00:00Z', false, '2026-06-15T17:00:00.000Z'],
      ['Pacific/Pago_Pago', '2026-06-15T09:30:00Z', false, '2026-06-15T18:00:00.000Z'],
      // As a device writes it, and as nobody should: then the tenant's zone holds.
      ['Romance Standard Time', '2026-06-15T09:30:00Z', true, '2026-06-15T20:00:00.000Z'],
      ['Samoa Standard Time', '2026-06-15T09:30:00Z', false, '2026-06-15T18:00:00.000Z'],
      ['rubbish', '2026-06-15T09:30:00Z', true, '2026-06-15T20:00:00.000Z'],
      ['', '2026-06-15T09:30:00Z', true, '2026-06-15T20:00:00.000Z'],
    ];
    const meant: Readonly<Record<string, string>> = {
      'Romance Standard Time': 'Europe/Copenhagen',
      'Samoa Standard Time': 'Pacific/Apia',
      rubbish: 'Europe/Copenhagen',
      '': 'Europe/Copenhagen',
    };
    for (const [zone, utc, isOpen, atUtc] of table) {
      await set(zone);
      clock.now = ms2000Of(utc);
      const { timeZone, groups } = await read();
      assert.equal(timeZone, meant[zone] ?? zone);
      const laundry = groups.find(({ unitKids: kids }) => kids.includes('sund-B1001-L1-U1'));
      assert.deepEqual([laundry?.isOpen, laundry?.nextChange?.atUtc], [isOpen, atUtc], `${zone} ${utc}`);
    }
    await set('Europe/Copenhagen');
  });

  test("[hours.02] yesterday's exception is shown, with its part in today, and no earlier one", async () => {
    const at = { bankId: 1001, locationId: 4 };
    await service.write('sund', (db) => insertOpeningException(db, at, '2026-06-16', '18:00-04:00', 'Night'));
    const isOpen = async (utc: string): Promise<[dates: string[], isOpen: boolean | null]> => {
      clock.now = ms2000Of(utc);
      const [group] = (await read(4)).groups;
      return [group!.exceptions.map(({ date }) => date), group!.isOpen];
    };
    const table: [utc: string, dates: string[], isOpen: boolean | null][] = [
      ['2026-06-16T01:00:00Z', ['2026-06-15', '2026-06-16'], false],
      ['2026-06-16T21:59:59Z', ['2026-06-15', '2026-06-16'], true],
      ['2026-06-16T22:00:00Z', ['2026-06-16'], true],
      ['2026-06-17T02:00:00Z', ['2026-06-16'], null],
      ['2026-06-17T21:59:59Z', ['2026-06-16'], null],
      ['2026-06-17T22:00:00Z', [], null],
    ];
    for (const [utc, ...expected] of table) assert.deepEqual(await isOpen(utc), expected, utc);
  });

  test('[hours.02] exceptions are shown up to two years from today', async () => {
    const at = { bankId: 1001, locationId: 3 };
    const days = ['2026-06-14', '2028-06-15', '2028-06-16', '2030-01-01', '9999-12-31'];
    await service.write('sund', async (db) => {
      for (const day of days) await insertOpeningException(db, at, day, '10:00-12:00', day);
    });
    const [group] = (await read(3)).groups;
    assert.deepEqual(
      group?.exceptions.map(({ date }) => date),
      ['2026-06-14', '2028-06-15'],
    );
  });

  test('[hours.01] leftover opening settings of a unit whose type has none are not shown as hours', async () => {
    const type = (name: UnitType) =>
      service.write('sund', (db) => setUnitType(db, { bankId: 1001, locationId: 1, unitId: 2 }, name));
    const hours = async () => (await read()).groups.find(({ unitKids: kids }) => kids.includes('sund-B1001-L1-U2'));
    await type('door');
    assert.equal((await hours())?.isOpen, true);
    await type('heat_meter');
    const { unitKids: kids, isOpen, weekly } = (await hours())!;
    assert.deepEqual([kids, isOpen, weekly], [unitKids(2, 4, 6), null, []]);
    await type('washer');
  });

  test('[hours.05] a manager of one location sees the hours of its units and of no others', async () => {
    const limited = await createToken(service, { grants: [{ bankId: 1001, locationId: 1 }] });
    const path = (location: number): string => `/api/v1/locations/sund-B1001-L${location}/opening-hours`;
    const own = await service.call('GET', path(1), { token: limited.token });
    assert.deepEqual([own.status, own.json], [200, await read()]);
    for (const location of [2, 3, 4])
      assert.equal((await service.call('GET', path(location), { token: limited.token })).status, 404);
  });
});
