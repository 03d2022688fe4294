// The prices and charges of demo bookings in every tenant: rules, prices and the account agree.

import { sql, type RawBuilder } from 'kysely';
import assert from 'node:assert/strict';
import { grantBank } from '../support/granted-banks.ts';
import { before, describe, test } from 'node:test';
import { readRows, seedDemoTenant } from '../support/demo-database.ts';
import { createToken } from '../support/factories.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { bookingPrice } from '../../demo/bookings/booking-policies.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';

/** The price of a booking in the settings of a unit; `of` is the alias of the rows that name the unit. */
const price = (of: string): RawBuilder<number> => sql<number>`coalesce((select cast(s.value as integer)
  from unit_settings s where s.bank_id = ${sql.ref(`${of}.bank_id`)} and s.location_id = ${sql.ref(`${of}.location_id`)}
  and s.unit_id = ${sql.ref(`${of}.unit_id`)} and s.name = 'BookingPrice'), 0)`;

type Charge = {
  bank_id: number;
  booking_id: number;
  posting_id: number;
  state: string;
  start_at: number;
  same: number;
  kind: number;
  amount_minor: number;
  price_minor: number;
  asked: number;
  given_back: number;
};
const charges = sql<Charge>`select b.bank_id, b.booking_id, e.posting_id, b.state, b.start_at, p.kind, p.amount_minor,
  b.price_minor, ${price('b')} as asked, p.user_id = b.user_id and p.location_id = b.location_id
    and p.unit_id = b.unit_id and p.currency = b.currency as same,
  (select count(*) from postings o where o.bank_id = p.bank_id and (o.reversal_of = p.posting_id or
    (o.posting_id > p.posting_id and o.kind = 2 and o.amount_minor > 0 and o.user_id = p.user_id
      and o.unit_id = p.unit_id and o.location_id = p.location_id))) as given_back
  from booking_events e join bookings b on b.bank_id = e.bank_id and b.booking_id = e.booking_id
  left join postings p on p.bank_id = e.bank_id and p.posting_id = e.posting_id
  where e.posting_id is not null order by b.bank_id, b.booking_id`;

test('what bookings cost is plausible in every currency', () => {
  const expected = {
    DKK: [500n, 6000n, 30_000n, 50_000n],
    NOK: [750n, 9000n, 45_000n, 75_000n],
    SEK: [750n, 9000n, 45_000n, 75_000n],
    EUR: [65n, 780n, 3900n, 6500n],
    GBP: [60n, 720n, 3600n, 6000n],
    ISK: [100n, 1200n, 6000n, 10_000n],
  };
  for (const [currency, prices] of Object.entries(expected)) {
    const types = ['washer', 'sauna', 'guest_room', 'party_room'] as const;
    assert.deepEqual(
      types.map((type) => bookingPrice(type, currency)),
      prices,
      currency,
    );
  }
  assert.equal(bookingPrice('dryer', 'DKK'), 0n);
});

for (const { name, currency } of builtInTenants)
  describe(`of ${name}`, () => {
    const { service } = serviceFixture('sqlite', { tenants: [name], now: testNow, manager: false });
    const database = () => service.dependencies.databases.forTenant(name);
    before(async () => {
      assert.equal(await seedDemoTenant(database(), name, { postings: 6000, otherPostings: 3000 }), 'seeded');
    });

    test(`a reservation in the account costs the fee that the rules of its unit give (${name})`, async () => {
      const rows = await readRows(
        database(),
        sql<{
          currency: string;
          amount: number;
          asked: number;
          n: number;
        }>`select currency, abs(amount_minor) as amount,
          ${price('p')} as asked, count(*) as n from postings p where kind = 2 group by 1, 2, 3`,
      );
      for (const row of rows) assert.deepEqual([row.amount, row.currency], [row.asked, currency]);
      const total = rows.reduce((sum, { n }) => sum + n, 0);
      const free = rows.find(({ amount }) => amount === 0)?.n ?? 0;
      assert.ok(total > 150 && free > total / 5 && free < total / 2, `${free} of ${total}`);
    });

    test(`a charged booking has its own fee, which equals its price and was not refunded (${name})`, async () => {
      const found = await readRows(database(), charges);
      assert.ok(found.length > 1);
      for (const charge of found) {
        const { price_minor: cost } = charge;
        assert.deepEqual(
          [charge.kind, charge.same, charge.amount_minor, charge.asked, charge.given_back, charge.state],
          [2, 1, -cost, cost, 0, 'Booked'],
          JSON.stringify(charge),
        );
        assert.ok(cost > 0 && charge.start_at > testNow);
      }
      const fees = new Set(found.map(({ bank_id, posting_id }) => `${bank_id}/${posting_id}`));
      assert.equal(fees.size, found.length);
    });

    test(`the first booking of either bank is at the first location, charged, cancelled in time, and restored (${name})`, async () => {
      const { token } = await createToken(service, { tenant: name });
      const host = `api.${name}.localhost`;
      for (const bank of [1001, 1002]) {
        const [first] = (await readRows(database(), charges)).filter(({ bank_id }) => bank_id === bank);
        assert.equal(first?.booking_id, 1);
        const deadline = sql<{ minutes: number }>`select cast(s.value as integer) as minutes from unit_settings s
          join bookings b on b.bank_id = s.bank_id and b.location_id = s.location_id and b.unit_id = s.unit_id
          where b.bank_id = ${bank} and b.booking_id = 1 and s.name = 'BookingCancelDeadline'`;
        const [{ minutes } = assert.fail()] = await readRows(database(), deadline);
        assert.ok(first.start_at - minutes * minuteMs >= testNow + hourMs);

        const path = `/api/v1/banks/${name}-B${bank}/bookings`;
        const event = `${name}-B${bank}-E1`;
        const gone = await service.call('POST', `${path}/${event}/commands/Cancel`, { host, token });
        assert.deepEqual([gone.status, gone.json.locationKid], [200, `${name}-B${bank}-L1`], gone.text);
        const back = await service.call('POST', `${path}/${gone.json.eventKid}/commands/Restore`, { host, token });
        assert.deepEqual([back.status, back.json.state], [200, 'Booked'], back.text);
        const last = sql<{ amount: number }>`select amount_minor as amount from postings where bank_id = ${bank}
          order by posting_id desc limit 2`;
        const amounts = (await readRows(database(), last)).map(({ amount }) => amount);
        assert.deepEqual(amounts, [-first.price_minor, first.price_minor]);
        const { differences } = await database().read({ deadlineMs: 30_000 }, (db) =>
          verifyBankRollups(db, grantBank(bank)),
        );
        assert.deepEqual(differences, []);
      }
    });
  });
