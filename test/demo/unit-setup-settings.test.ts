// The opening hours and booking rules of demo units: valid, and with every case that can be shown.

import { sql, type RawBuilder } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  openMigratedDatabases,
  readRows,
  seedDemoTenant,
  getTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { onBothEngines } from '../support/service.ts';
import { createLocalCalendar } from '../../src/features/opening-hours/rules/local-calendar.ts';
import { parseDayIntervals } from '../../src/features/opening-hours/rules/opening-intervals.ts';
import { groupBySchedule } from '../../src/features/opening-hours/rules/opening-schedule.ts';
import { openStatusNow } from '../../src/features/opening-hours/rules/open-status.ts';
import { groupByPolicy } from '../../src/features/bookings/rules/policy-groups.ts';
import { listInvalidSettings } from '../../src/features/bookings/rules/policy.ts';
import { listPolicyWarnings } from '../../src/features/bookings/rules/policy-warnings.ts';
import { unitTypeCode, unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { todayIn } from '../../src/lib/time/time-zone.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { demoBookingPolicy } from '../../demo/bookings/booking-policies.ts';
import { demoExceptionRows, demoOpeningSettings } from '../../demo/units/opening-hours.ts';
import { createDemoBanks } from '../../demo/places/places.ts';
import { testNow } from '../support/times.ts';

const somewhere = { bankId: 1001, locationId: 1 };

test('settings of demo units are in the catalogue of their type, and valid', () => {
  for (const type of unitTypes) {
    const has = typeCatalogueOf(unitTypeCode(type)).visibleByName;
    const opening = demoOpeningSettings(type, somewhere);
    for (const { currency } of builtInTenants) {
      const policy = demoBookingPolicy(type, currency);
      for (const name of [...opening.keys(), ...policy.keys()]) assert.ok(has.has(name), `${type} ${name}`);
      assert.deepEqual(listInvalidSettings(policy), [], type);
    }
    for (const [name, text] of opening) assert.notEqual(parseDayIntervals(text), undefined, `${type} ${name}`);
  }
});

test('demo hours have whole days, closed days, breaks and spans over midnight', () => {
  const texts = new Set(unitTypes.flatMap((type) => [...demoOpeningSettings(type, somewhere).values()]));
  for (const [what, found] of [
    ['the whole day', (text: string) => text === '00:00-24:00'],
    ['closed', (text: string) => text === 'closed'],
    ['up to midnight', (text: string) => text.endsWith('-24:00') && !text.startsWith('00:00')],
    ['a break', (text: string) => text.includes(',')],
    ['over midnight', (text: string) => (parseDayIntervals(text) ?? []).some(({ to }) => to > 1440)],
  ] as const)
    assert.ok([...texts].some(found), what);
});

test('demo exceptions lie ahead of the present, in the days of each tenant’s own zone', () => {
  for (const { timeZone } of builtInTenants) {
    const today = todayIn(timeZone, testNow).toString();
    const days = createDemoBanks(testNow).flatMap((bank) =>
      demoExceptionRows(bank, timeZone, testNow).map(({ day }) => day),
    );
    assert.equal(days.toSorted()[0], today);
    assert.ok(new Set(days).size > 2);
  }
});

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund', 'island');
    for (const name of ['sund', 'island'])
      assert.equal(await seedDemoTenant(opened.databases.forTenant(name), name, { postings: 0 }), 'seeded');
  });
  after(() => opened.release());

  const rows = <T>(statement: RawBuilder<T>, tenant = 'sund'): Promise<T[]> =>
    readRows(opened.databases.forTenant(tenant), statement);

  type Given = { unit_id: number; name: string; value: string };
  async function given(bankId: number, locationId: number): Promise<Map<number, Map<string, string>>> {
    const found = await rows(sql<Given>`
      select u.unit_id, s.name, s.value from units u
      left join unit_settings s on s.bank_id = u.bank_id and s.location_id = u.location_id and s.unit_id = u.unit_id
      where u.bank_id = ${bankId} and u.location_id = ${locationId} and u.deleted_at is null`);
    const units = Map.groupBy(found, ({ unit_id }) => unit_id);
    return new Map([...units].map(([id, of]) => [id, new Map(of.map(({ name, value }) => [name, value]))]));
  }

  test('every setting of hours and rules has its history, with versions up to that of its unit', async () => {
    const [counted] = await rows(sql<{ settings: number; held: number; reached: number | string }>`
      select count(*) as settings, count(h.name) as held, sum(case when s.version <= u.version then 1 else 0 end) as reached
      from unit_settings s
      join units u on u.bank_id = s.bank_id and u.location_id = s.location_id and u.unit_id = s.unit_id
      left join unit_setting_history h on h.bank_id = s.bank_id and h.location_id = s.location_id
        and h.unit_id = s.unit_id and h.name = s.name and h.version = s.version and h.value = s.value
      where s.name like 'Booking%' or s.name like 'Opening%' or s.name = 'Bookable'`);
    assert.ok(counted !== undefined && counted.settings > 800);
    // A sum is a decimal in one of the engines.
    assert.deepEqual([counted.held, Number(counted.reached)], [counted.settings, counted.settings]);
  });

  test("one location's hours are not known; elsewhere some units are open at noon, and one place has other hours today", async () => {
    const noon = testNow;
    const statuses = async (bankId: number, locationId: number): Promise<Set<boolean | null>> => {
      const groups = groupBySchedule(await given(bankId, locationId), []);
      const calendar = createLocalCalendar('Europe/Copenhagen', noon);
      return new Set(groups.map(({ schedule }) => openStatusNow(schedule, calendar)));
    };
    assert.deepEqual(await statuses(1001, 4), new Set([null]));
    assert.ok((await statuses(1001, 1)).has(true));
    const today = await rows(sql<{ location_id: number }>`
      select location_id from opening_exceptions where bank_id = 1001 and day = ${todayIn('Europe/Copenhagen', testNow).toString()}`);
    assert.deepEqual(today, [{ location_id: 2 }]);
  });

  test('rules are sound, except for a missing calendar in the rent bank', async () => {
    const found: string[] = [];
    for (const bankId of [1001, 1002]) {
      for (const locationId of [1, 2, 3, 4]) {
        const groups = groupByPolicy(await given(bankId, locationId));
        assert.ok(groups.length > 1);
        for (const { policy, invalid } of groups)
          found.push(...listPolicyWarnings(policy, invalid).map(({ code }) => `${bankId} ${code}`));
      }
    }
    assert.deepEqual(new Set(found), new Set(['1002 missing-calendar']));
  });

  test('prices are in the currency of the tenant', async () => {
    const price = async (tenant: string): Promise<string[]> => {
      const found = await rows(
        sql<{ value: string }>`
          select distinct s.value from unit_settings s
          where s.bank_id = 1001 and s.location_id = 1 and s.name = 'BookingPrice' and s.unit_id <= 3`,
        tenant,
      );
      return found.map(({ value }) => value);
    };
    for (const tenant of ['sund', 'island']) {
      const expected = demoBookingPolicy('washer', getTenant(tenant).currency).get('BookingPrice');
      assert.deepEqual(await price(tenant), [expected]);
    }
    assert.notDeepEqual(await price('sund'), await price('island'));
  });
});
