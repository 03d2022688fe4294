// GetBankBookings against an oracle, which reads the names of every booking and compares each booking with every other.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { languages, localiseName, type Language } from '../../src/lib/text/language.ts';
import { bookingsPath, createBookableBank, toEventRows } from '../support/bookings.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { insertTestResident, createToken, type ManagerOptions } from '../support/factories.ts';
import { instantOf } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';

const locationIds = Array.from({ length: 10 }, (_, at) => at + 1);
const unitIds = [1, 2, 3, 4, 5];
const gone = 10;
const locationNames = ['House A', 'House Ö', 'Park'];
const unitNames = ['{washer} 2', '{washer} 10', '{sauna} 1', 'Plain', '{dryer} 2'];
const residentNames = ['Ada', 'ada', 'Åse', 'Zoe', 'Zoé', 'Zoe\u0301', 'Resident 2', 'Resident 10', ''];
const residentIds = Array.from({ length: 24 }, (_, at) => 1001 + at);
// Every seventh identity has expired, some of them only now; the last one has only a booking.
const expiryOf = (id: number): number | null =>
  id % 7 === 0 ? testNow - (id % 2) : id % 11 === 0 ? testNow + 1 : null;
const missing = residentIds.at(-1);

const locationName = (id: number): string => locationNames[id % locationNames.length] ?? '';
const unitName = (location: number, unit: number): string => unitNames[(location + unit) % unitNames.length] ?? '';
const residentName = (id: number): string => (id === missing ? '' : (residentNames[id % residentNames.length] ?? ''));

// The same varied data on every run.
const today = Math.floor(testNow / dayMs) * dayMs;
const rows = Array.from({ length: 600 }, (_, at): Tables['bookings'] => {
  const start_at = today + ((at * 37) % 480) * 2 * hourMs - 20 * dayMs + (at % 3) * 300_000;
  return {
    bank_id: 1001,
    booking_id: at + 1,
    location_id: locationIds[(at * 7) % 10] ?? 1,
    // One that does not exist.
    unit_id: at % 97 === 0 ? 99 : (unitIds[(at * 3 + (at >> 4)) % 5] ?? 1),
    user_id: [0, 1000, ...residentIds][(at * 5 + (at >> 3)) % 26] ?? 0,
    start_at,
    end_at: start_at + (at % 29 === 0 ? 14 * 24 : 1 + (at % 5)) * hourMs,
    state: at % 6 === 0 ? 'Cancelled' : 'Booked',
    price_minor: 0,
    currency: 'DKK',
    event_id: at + 1,
  };
});

const everywhere = { bankId: 1001, locationId: 0 };
const viewers: readonly (Required<Pick<ManagerOptions, 'grants'>> & { retentionDays: number | null })[] = [
  { grants: [everywhere], retentionDays: null },
  { grants: [everywhere], retentionDays: 5 },
  { grants: [2, 3, 5, 8, gone].map((locationId) => ({ bankId: 1001, locationId })), retentionDays: 12 },
  { grants: [4].map((locationId) => ({ bankId: 1001, locationId })), retentionDays: 1 },
  { grants: locationIds.slice(1).map((locationId) => ({ bankId: 1001, locationId })), retentionDays: null },
];

/** Mostly undefined. */
const seldom = <T>(values: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
const queries = fc.record({
  viewer: fc.constantFrom(0, 1, 2, 2, 3, 4),
  language: fc.constantFrom(...languages),
  first: fc.constantFrom(-22, -20, -12, -6, -1, 0, 3),
  days: fc.constantFrom(1, 3, 10, 25, 45),
  location: seldom(locationIds),
  unit: seldom(unitIds),
  user: seldom([0, 1000, ...residentIds]),
  state: fc.constantFrom('all', 'all', 'Booked', 'Cancelled', 'Completed'),
  filter: fc.option(fc.constantFrom('a', 'WASH', 'vask', 'resident 1', 'ö', 'é', 'zoe', ' ', 'nothing'), {
    nil: undefined,
    freq: 2,
  }),
  sort: fc.constantFrom('start', 'unit', 'user'),
  direction: fc.constantFrom('asc', 'desc'),
  offset: fc.constantFrom(0, 0, 0, 1, 7, 30, 150),
  limit: fc.constantFrom(2, 10, 50, 200),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

const instantAt = (day: number): number => today + day * dayMs;
const dateOf = (day: number): string => instantOf(instantAt(day)).toString().slice(0, 10);

function found(query: Query): number[] {
  const { grants, retentionDays } = viewers[query.viewer] ?? assert.fail();
  const language: Language = query.language;
  const cutoff = today - (retentionDays ?? 400) * dayMs;
  const covered = new Set(grants.flatMap(({ locationId }) => (locationId === 0 ? locationIds : [locationId])));
  const nameless = ({ user_id, start_at }: Tables['bookings']): boolean =>
    user_id === 0 || start_at < cutoff || (user_id !== missing && (expiryOf(user_id) ?? Infinity) <= testNow);
  const user = (row: Tables['bookings']): string =>
    nameless(row) || row.user_id === 1000 ? '' : residentName(row.user_id);
  const unit = ({ location_id, unit_id }: Tables['bookings']): string =>
    unit_id === 99 ? '' : localiseName(unitName(location_id, unit_id), language);
  const shown = ({ state, end_at }: Tables['bookings']): string =>
    state === 'Booked' && end_at <= testNow ? 'Completed' : state;
  const wanted = (query.filter ?? '').toLowerCase();
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byStart = (a: Tables['bookings'], b: Tables['bookings']) =>
    a.start_at - b.start_at || a.booking_id - b.booking_id;
  const sign = query.direction === 'asc' ? 1 : -1;
  const name = query.sort === 'unit' ? unit : user;
  return rows
    .filter((row) => covered.has(row.location_id) && row.location_id !== gone)
    .filter(({ start_at }) => start_at >= instantAt(query.first) && start_at < instantAt(query.first + query.days))
    .filter((row) => query.location === undefined || row.location_id === query.location)
    .filter((row) => query.unit === undefined || (row.location_id === query.location && row.unit_id === query.unit))
    .filter((row) => query.user === undefined || (row.user_id === query.user && !nameless(row)))
    .filter((row) => query.state === 'all' || shown(row) === query.state)
    .filter((row) =>
      [unit(row), locationName(row.location_id), user(row)].some((each) =>
        each.normalize('NFKC').toLowerCase().includes(wanted),
      ),
    )
    .toSorted((a, b) =>
      query.sort === 'start' ? sign * byStart(a, b) : sign * compare(name(a), name(b)) || byStart(a, b),
    )
    .map(({ event_id }) => event_id);
}

function asked({ first, days, location, unit, user, state, filter, sort, direction, offset, limit }: Query): string {
  const query = new URLSearchParams({ timeZone: 'UTC', from: dateOf(first), through: dateOf(first + days - 1), state });
  for (const [key, value] of Object.entries({ sort, direction, offset, limit })) query.set(key, String(value));
  if (unit !== undefined && location !== undefined) query.set('unitKid', `sund-B1001-L${location}-U${unit}`);
  else if (location !== undefined) query.set('locationKid', `sund-B1001-L${location}`);
  if (user !== undefined) query.set('userKid', `sund-B1001-R${user}`);
  if (filter !== undefined) query.set('filter', filter);
  return bookingsPath(String(query));
}

serviceSuite({ now: testNow, manager: false }, ({ service }) => {
  const tokens: string[] = [];
  before(async () => {
    const places = Object.fromEntries(locationIds.map((id) => [id, unitIds]));
    await createBookableBank(service, { places, residents: [] });
    await service.write('sund', async (db) => {
      for (const id of locationIds) {
        const change = { name: locationName(id), deleted_at: id === gone ? 1 : null };
        await db.updateTable('locations').set(change).where('location_id', '=', id).execute();
        for (const unitId of unitIds)
          await db
            .updateTable('units')
            .set({ name: unitName(id, unitId), deleted_at: unitId === 5 ? 1 : null })
            .where('location_id', '=', id)
            .where('unit_id', '=', unitId)
            .execute();
      }
      for (const id of residentIds.slice(0, -1))
        await insertTestResident(db, id, { name: residentName(id), expiredAt: expiryOf(id) });
      await insertRows(db, 'bookings', rows);
      await insertRows(db, 'booking_events', toEventRows(rows));
    });
    for (const viewer of viewers) tokens.push((await createToken(service, viewer)).token);
  });

  test('[bookings.05, bookings.06, general.57] any page, and the one that its cursor leads to, equals that of the oracle, for every query, manager and language', async () => {
    let met = 0;
    const run = async (query: Query): Promise<void> => {
      if (query.location === undefined && query.unit !== undefined) return;
      const headers = { 'accept-language': query.language };
      const token = tokens[query.viewer] ?? '';
      const { status, json, text } = await service.call('GET', asked(query), { token, headers });
      assert.equal(status, 200, text);
      const whole = found(query);
      const { offset, limit } = query;
      const eventsOf = (items: { eventKid: string }[]): number[] =>
        items.map(({ eventKid }) => Number(eventKid.split('-E')[1]));
      assert.deepEqual(eventsOf(json.items), whole.slice(offset, offset + limit));
      assert.equal(json.hasMore, whole.length > offset + limit);
      met += json.items.length;
      if (json.nextCursor === null) return;
      const target = `${asked({ ...query, offset: 0 })}&cursor=${json.nextCursor}`;
      const next = await service.call('GET', target, { token, headers });
      assert.deepEqual(eventsOf(next.json.items), whole.slice(offset + limit, offset + 2 * limit), next.text);
      assert.deepEqual([next.json.offset, next.json.hasMore], [offset + limit, whole.length > offset + 2 * limit]);
    };
    await fc.assert(fc.asyncProperty(queries, run), { numRuns: 1000 });
    assert.ok(met > 2000, `only ${met} bookings were listed`);
  });
});
