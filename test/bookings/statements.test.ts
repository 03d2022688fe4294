// The statements of GetBankBookings: their number does not depend on the number of bookings, and each uses the right
// index.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import {
  bookingsPath,
  cancelledAnHourAgo,
  bookingDraft,
  createBookableBank,
  toEventRows,
} from '../support/bookings.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { recordBookings } from '../../src/features/bookings/record-bookings.ts';
import { insertTestResident } from '../support/factories.ts';
import { startReadRecorder, type QueryPlanStep, type ReadRecorder } from '../support/recorded-statements.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';

const locationIds = Array.from({ length: 40 }, (_, at) => at + 1);
const residentIds = Array.from({ length: 200 }, (_, at) => 1001 + at);
const period = 'from=2025-08-01&through=2026-07-20';
const firstAt = testNow - 300 * dayMs;

// Past bookings, which have no commands.
const past = Array.from({ length: 20_000 }, (_, at): Tables['bookings'] => ({
  bank_id: 1001,
  booking_id: 100_000 + at,
  location_id: locationIds[(at * 7) % locationIds.length] ?? 1,
  unit_id: 1 + (Math.floor(at / 40) % 2),
  user_id: residentIds[(at * 13) % residentIds.length] ?? 1001,
  start_at: firstAt + Math.floor(at / 90) * dayMs + (at % 24) * hourMs,
  end_at: firstAt + Math.floor(at / 90) * dayMs + ((at % 24) + 1) * hourMs,
  state: at % 400 === 0 ? 'Cancelled' : 'Booked',
  price_minor: 0,
  currency: 'DKK',
  event_id: 100_000 + at,
}));

/** So many hours from tomorrow on, alternately booked and cancelled. */
const ahead = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    bookingDraft({
      locationId: locationIds[at % locationIds.length] ?? 1,
      unitId: 1 + (at % 2),
      residentId: residentIds[at] ?? 1001,
      startAt: bookingDraft().startAt + Math.floor(at / locationIds.length) * hourMs,
      ...(at % 2 === 0 ? { cancelled: cancelledAnHourAgo } : {}),
    }),
  );

serviceSuite({ now: testNow }, ({ engine, service, manager, issueToken, onStop }) => {
  let watch: ReadRecorder;
  let few: string;
  before(async () => {
    watch = await startReadRecorder(service);
    onStop(watch.stop);
    const places = Object.fromEntries(locationIds.map((id) => [id, [1, 2]]));
    await createBookableBank(service, { places, residents: [], settings: { BookingMaxOpen: '3' } });
    await service.write('sund', async (db) => {
      for (const id of residentIds) await insertTestResident(db, id);
      await insertRows(db, 'bookings', past);
      await insertRows(db, 'booking_events', toEventRows(past));
      await recordBookings(db, grantBank(1001), ahead(4), testNow);
    });
    few = await issueToken({ grants: [3, 5, 9].map((locationId) => ({ bankId: 1001, locationId })) });
  });

  const orders = ['', '&sort=unit', '&sort=user', '&filter=washer', '&filter=resident&sort=user&direction=desc'];

  test('[bookings.05] a page takes as many statements for many bookings as for few, sorted and searched as well', async () => {
    const soon = 'from=2026-06-16&through=2026-06-20&limit=200';
    const count = async (as: string): Promise<number[]> => {
      const counts: number[] = [];
      for (const order of orders) counts.push((await watch.statementsOf(bookingsPath(soon + order), as)).length);
      return counts;
    };
    const [forFour, forFew] = [await count(manager.token), await count(few)];
    await service.write('sund', (db) => recordBookings(db, grantBank(1001), ahead(180).slice(4), testNow));
    assert.deepEqual(await count(manager.token), forFour);
    assert.ok(Math.max(...forFour, ...forFew, ...(await count(few))) <= 11, String([forFour, forFew]));
  });

  /** The plan for these tables in the statement of a list that matches. */
  async function stepsOf(
    query: string,
    statement: RegExp,
    tables: readonly string[],
    as = manager.token,
  ): Promise<QueryPlanStep[]> {
    const asked = await watch.statementsOf(bookingsPath(query), as);
    const found = asked.filter((each) => statement.test(each.sql.replaceAll(/["`]/g, '')));
    assert.equal(found.length, 1, `${query}: ${asked.map((each) => each.sql).join('\n')}`);
    const steps = (await watch.planOf(found[0] ?? assert.fail())).filter(({ table }) => tables.includes(table));
    assert.ok(steps.length > 0, query);
    return steps;
  }

  const page = /^select b\.\*/;
  const narrowings: [what: string, query: string, statement: RegExp, index: string][] = [
    ['an interval', 'from=2026-06-15&through=2026-06-16', page, 'bookings_by_start'],
    ['a rare state', `${period}&state=Cancelled`, page, 'bookings_by_state'],
    ['a resident', `${period}&userKid=sund-B1001-R1050`, page, 'bookings_by_user'],
    ['a unit', `${period}&unitKid=sund-B1001-L1-U1`, page, 'bookings_by_unit'],
    ['a resident’s state', `${period}&userKid=sund-B1001-R1050&state=Cancelled`, page, 'bookings_by_user'],
    ['a page by residents', `${period}&sort=user&limit=2`, /user_id in \(/, 'bookings_by_user'],
  ];
  for (const [what, query, statement, index] of narrowings)
    test(`[bookings.06] ${what} is found by its index`, async () => {
      for (const step of await stepsOf(query, statement, ['bookings'])) assert.equal(step.index, index, step.planText);
    });

  test('[bookings.09] the first event of each booking is the first of its index', async () => {
    const [step, ...others] = await stepsOf(`${period}&limit=200`, page, ['first']);
    assert.ok(step !== undefined && others.length === 0);
    assert.equal(step.index, 'booking_events_by_booking', step.planText);
    assert.match(step.planText, engine === 'sqlite' ? /COVERING.*bank_id=\? AND booking_id=\?/ : /"type":"ref"/);
  });

  test('[bookings.05] each of a few locations is read by its own range', async () => {
    const steps = await stepsOf(`${period}&limit=10`, page, ['bookings'], few);
    assert.equal(steps.length, 3);
    // MariaDB knows how far apart a location's bookings are, and uses the bank's index if they are close.
    const expected = engine === 'sqlite' ? ['bookings_by_location'] : ['bookings_by_location', 'bookings_by_start'];
    for (const { index, planText } of steps) assert.ok(index !== undefined && expected.includes(index), planText);
  });

  test('[bookings.09] the commands of a page are computed from rows that are found by keys, one for each unit and each time', async () => {
    const soon = 'from=2026-06-16&through=2026-06-20&limit=200';
    const told = async (statement: RegExp, tables: readonly string[]): Promise<QueryPlanStep[]> =>
      stepsOf(soon, statement, tables);
    for (const step of await told(/from booking_slots/, ['booking_slots'])) {
      assert.equal(step.index, 'PRIMARY', step.planText);
      assert.match(step.planText, engine === 'sqlite' ? /unit_id=\? AND slot>\? AND slot<\?/ : /"type":"range"/);
    }
    for (const step of await told(/from unit_settings/, ['unit_settings'])) {
      assert.equal(step.index, 'PRIMARY', step.planText);
      if (engine === 'sqlite') assert.match(step.planText, /location_id=\? AND unit_id=\?/);
    }
    for (const { table, index = '', planText: how } of await told(/from bookings as b left join units/, [
      'b',
      'u',
      's',
    ])) {
      // MariaDB reads all future bookings if they are few.
      const ofOthers = ['bookings_by_user', ...(engine === 'sqlite' ? [] : ['bookings_by_state'])];
      assert.ok((table === 'b' ? ofOthers : ['PRIMARY']).includes(index), how);
    }
  });
});
