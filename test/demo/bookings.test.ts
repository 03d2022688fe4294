// Demo bookings: there is one of every kind, all obey the rules of their units, and the first can be cancelled and restored.

import { sql, type RawBuilder } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkCommand, commandPath, parseEventId, executeCommand } from '../support/bookings.ts';
import { openMigratedDatabases, readRows, seedDemoTenant, type MigratedDatabases } from '../support/demo-database.ts';
import { createToken } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { instantOf } from '../support/account-oracle.ts';
import { readPostings } from '../support/reversal.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { parsePolicy } from '../../src/features/bookings/rules/policy.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { demoBookingPolicy } from '../../demo/bookings/booking-policies.ts';
import { createDemoBanks } from '../../demo/places/places.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, minuteMs, testNow } from '../support/times.ts';

type Row = {
  bank_id: number;
  booking_id: number;
  location_id: number;
  unit_id: number;
  user_id: number;
  start_at: number;
  end_at: number;
  state: string;
  price_minor: number;
  currency: string;
  made_at: number;
};
const all = sql<Row>`select b.*, e.at as made_at from bookings b join booking_events e
  on e.bank_id = b.bank_id and e.booking_id = b.booking_id and e.kind = 'Booked'`;
const units = createDemoBanks(testNow).flatMap(({ bankId, locations }) =>
  locations.flatMap((location) => location.units.map((unit) => ({ bankId, ...unit }))),
);
const typeOf = ({ bank_id, location_id, unit_id }: Row) =>
  units.find((unit) => unit.bankId === bank_id && unit.locationId === location_id && unit.unitId === unit_id)?.type ??
  assert.fail();
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

// Three zones, and with them a currency without minor units.
for (const tenant of builtInTenants.filter(({ name }) => ['sund', 'thames', 'island'].includes(name)))
  describe(`of ${tenant.name}`, () => {
    const { name, currency, timeZone } = tenant;
    let opened: MigratedDatabases;
    let database: TenantDatabase;
    let bookings: Row[];
    before(async () => {
      opened = await openMigratedDatabases('sqlite', name);
      database = opened.databases.forTenant(name);
      assert.equal(await seedDemoTenant(database, name, { postings: 1000 }), 'seeded');
      bookings = await readRows(database, all);
    });
    after(() => opened.release());
    const ids = async (statement: RawBuilder<{ booking_id: number }>): Promise<number[]> =>
      (await readRows(database, statement)).map(({ booking_id }) => booking_id);

    test(`they lie two months back and two weeks ahead, in every state, over midnight and over nights (${name})`, () => {
      const of = (bank: number) => bookings.filter(({ bank_id }) => bank_id === bank);
      for (const bank of [1001, 1002]) {
        const rows = of(bank);
        assert.ok(rows.length > 150 && rows.length < 1500, `${rows.length}`);
        const some = (what: string, is: (row: Row) => boolean) => assert.ok(rows.some(is), `${bank}: ${what}`);
        some('completed', ({ state, end_at }) => state === 'Booked' && end_at <= testNow);
        some('ahead', ({ state, start_at }) => state === 'Booked' && start_at > testNow);
        some('cancelled, over', ({ state, end_at }) => state === 'Cancelled' && end_at <= testNow);
        some('cancelled, ahead', ({ state, start_at }) => state === 'Cancelled' && start_at > testNow);
        const dayIn = (at: number): string => instantOf(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
        some('over midnight', ({ start_at, end_at }) => dayIn(start_at) !== dayIn(end_at));
        some('long ago', ({ start_at }) => start_at < testNow - 55 * dayMs);
      }
      assert.ok(
        bookings.some(({ state, start_at, end_at }) => state === 'Booked' && start_at <= testNow && testNow < end_at),
      );
      assert.ok(bookings.some((row) => typeOf(row) === 'guest_room'));
      assert.ok(bookings.every(({ start_at }) => start_at > testNow - 62 * dayMs && start_at < testNow + 16 * dayMs));
      assert.deepEqual(of(1003), []);
    });

    test(`hours, steps, lengths, notices, horizons and prices are those of their units (${name})`, () => {
      for (const row of bookings) {
        const policy = parsePolicy(demoBookingPolicy(typeOf(row), currency));
        const start = instantOf(row.start_at).toZonedDateTimeISO(timeZone).toPlainDateTime();
        const end = instantOf(row.end_at).toZonedDateTimeISO(timeZone).toPlainDateTime();
        const length = start.until(end).total('minutes');
        const from = minutesOf(policy.from ?? '00:00');
        const into = start.hour * 60 + start.minute - from;
        assert.ok(into >= 0, JSON.stringify(row));
        assert.equal(into % (policy.stepMinutes ?? 1), 0);
        assert.ok(length >= (policy.minLengthMinutes ?? 0) && length <= (policy.maxLengthMinutes ?? Infinity));
        if (policy.through !== null) {
          const through = minutesOf(policy.through);
          assert.ok(into + length <= (through <= from ? through + 1440 : through) - from, JSON.stringify(row));
        }
        const lead = row.start_at - row.made_at;
        assert.ok(lead >= (policy.noticeMinutes ?? 0) * minuteMs && row.made_at <= testNow);
        assert.ok(lead <= ((policy.horizonDays ?? 999) + 1) * dayMs);
        assert.equal(row.currency, currency);
        assert.equal(BigInt(row.price_minor), policy.priceMinor ?? 0n);
      }
    });

    test(`no two that are booked overlap, and the slots are theirs exactly (${name})`, async () => {
      const booked = bookings.filter(({ state }) => state === 'Booked');
      const byUnit = Map.groupBy(booked, (row) => `${row.bank_id}/${row.location_id}/${row.unit_id}`);
      for (const rows of byUnit.values()) {
        const inOrder = rows.toSorted((a, b) => a.start_at - b.start_at);
        for (const [at, row] of inOrder.entries()) assert.ok(row.start_at >= (inOrder[at - 1]?.end_at ?? 0));
      }
      const slots = await readRows(
        database,
        sql<{
          key: string;
          n: number;
        }>`select bank_id || '/' || booking_id as key, count(*) as n from booking_slots group by 1`,
      );
      const kept = booked.filter(({ end_at }) => end_at > testNow - 14 * dayMs);
      assert.deepEqual(
        new Map(slots.map(({ key, n }) => [key, n])),
        new Map(kept.map((row) => [`${row.bank_id}/${row.booking_id}`, (row.end_at - row.start_at) / 300_000])),
      );
    });

    test(`of the cancelled bookings ahead, some still have a free time and some do not (${name})`, async () => {
      const taken = sql`exists (select 1 from bookings o where o.bank_id = b.bank_id and o.location_id = b.location_id
        and o.unit_id = b.unit_id and o.state = 'Booked' and o.start_at < b.end_at and o.end_at > b.start_at)`;
      const gone = sql`from bookings b where b.bank_id = 1001 and b.state = 'Cancelled' and b.start_at > ${testNow}`;
      assert.ok((await ids(sql`select b.booking_id ${gone} and ${taken}`)).length > 0);
      assert.ok((await ids(sql`select b.booking_id ${gone} and not ${taken}`)).length > 0);
    });

    test(`most are of active residents, a few of deleted and expired ones (${name})`, async () => {
      const of = sql`from bookings b join residents r on r.bank_id = b.bank_id and r.resident_id = b.user_id`;
      assert.equal((await ids(sql`select b.booking_id ${of}`)).length, bookings.length);
      for (const column of ['deleted_at', 'expired_at']) {
        const found = await ids(sql`select b.booking_id ${of} where r.${sql.ref(column)} <= ${testNow}`);
        assert.ok(found.length > 0 && found.length < bookings.length / 5, `${column}: ${found.length}`);
      }
    });
  });

serviceSuite({ now: testNow, manager: false }, ({ service }) => {
  before(async () => {
    await seedDemoTenant(service.dependencies.databases.forTenant('sund'), 'sund', { postings: 1000 });
  });

  test('a manager of only its location cancels the first demo booking with a refund, and restores it', async () => {
    const { token } = await createToken(service, { grants: [{ bankId: 1001, locationId: 1 }] });
    const known = (await readPostings(service)).length;
    assert.deepEqual((await checkCommand(service, 1, 'Cancel', { token })).json.codes, []);
    const gone = await executeCommand(service, 1, 'Cancel', { token });
    assert.equal(gone.status, 200, gone.text);
    const back = await executeCommand(service, parseEventId(gone), 'Restore', { token });
    assert.deepEqual([back.status, back.json.state], [200, 'Booked']);
    const [refund, charge, ...none] = (await readPostings(service)).slice(known);
    assert.ok(Number(refund?.amount_minor) > 0);
    assert.deepEqual([Number(charge?.amount_minor), none.length], [-Number(refund?.amount_minor), 0]);
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
    assert.equal((await service.call('POST', commandPath(1), { token })).status, 409);
  });
});
