// Which entries are purchases, what they add up to, and where they were made.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { measure, post, purchaseMapPath, purchasesPath, type Purchase } from './support/statistics.ts';

type Counted = { readonly count: number; readonly amount: number | null; readonly currency: string | null };

serviceSuite({ tenants: ['sund', 'fjord'], now: testNow, manager: false }, ({ service, clock }) => {
  before(() =>
    service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1001 });
      await insertTestBank(db, { bankId: 1002, deletedAt: 1 });
    }),
  );

  let days = 0;
  /** A day of its own for each test, so that none counts the purchases of another. */
  const startDay = (): number => (clock.now = testNow + (days += 1) * dayMs);

  const count = async (purchases: readonly Omit<Purchase, 'recordedAt'>[], bankId = 1001): Promise<Counted> => {
    const recordedAt = startDay() - 1000;
    await post(
      service,
      bankId,
      purchases.map((purchase) => ({ recordedAt, ...purchase })),
    );
    return (await measure(service, purchasesPath)).json as Counted;
  };

  test('[public.01, public.02, public.03] anyone gets the purchases of the last hour', async () => {
    const now = startDay();
    await post(service, 1001, [{ recordedAt: now - 5000, amountMinor: -1250n }]);
    const { json, headers } = await measure(service, purchasesPath);
    assert.deepEqual(json, {
      count: 1,
      amount: 12.5,
      currency: 'DKK',
      tenantKid: 'sund',
      sinceUtc: '2026-06-16T08:30:00.000Z',
      measuredAtUtc: '2026-06-16T09:30:00.000Z',
      lookbackHours: 1,
    });
    assert.equal(headers['cache-control'], 'no-store');
  });

  test('[public.03] only what is newer than an hour is counted', async () => {
    const now = startDay();
    const recorded = [now - hourMs - 1, now - hourMs, now - hourMs + 1, now - 1, now];
    await post(
      service,
      1001,
      recorded.map((recordedAt, at) => ({ recordedAt, amountMinor: -(10n ** BigInt(at)) })),
    );
    assert.partialDeepStrictEqual((await measure(service, purchasesPath)).json, { count: 3, amount: 111 });
  });

  test('[public.04] user ids from 1001 to 99999 are those of customers', async () => {
    for (const [residentId, counted] of [
      [0, 0],
      [1000, 0],
      [1001, 1],
      [99_999, 1],
      [100_000, 0],
    ] as const)
      assert.equal((await count([{ residentId }])).count, counted, String(residentId));
  });

  test('[public.05] a text that ends with e or E is not a purchase; letters with accents differ', async () => {
    for (const [text, counted] of [
      ['Wash', 1],
      ['Dose', 0],
      ['DOSE', 0],
      ['e', 0],
      ['E', 0],
      ['', 1],
      ['Ever', 1],
      ['E ', 1],
      ['E1', 1],
      ['Cafe\nE\n', 1],
      ['Two\nlinE', 0],
      ['Caf\u00e9', 1],
      ['CAF\u00c9', 1],
      ['Caf\u0065\u0301', 1],
      ['\u0415', 1],
      ['\uff25', 1],
      ['%e%', 1],
      ['\u{1F9FA}e', 0],
    ] as const)
      assert.equal((await count([{ text }])).count, counted, JSON.stringify(text));
  });

  test('[public.06] only amounts below zero are purchases', async () => {
    assert.partialDeepStrictEqual(await count([{ amountMinor: 0n }, { amountMinor: 5n }, { amountMinor: -1n }]), {
      count: 1,
      amount: 0.01,
    });
  });

  test('[public.07] each purchase counts, in every bank, and whatever kind of entry it is', async () => {
    const now = startDay();
    const twice = [{ recordedAt: now }, { recordedAt: now, kind: 'Booking' }] as const;
    await post(service, 1001, twice);
    await post(service, 1002, twice);
    assert.partialDeepStrictEqual((await measure(service, purchasesPath)).json, { count: 4, amount: 4 });
  });

  test('[public.08] the amount is exact, also beyond 64 bits', async () => {
    const smallest = { amountMinor: -(2n ** 63n) };
    const recordedAt = startDay();
    await post(service, 1001, [{ recordedAt, ...smallest }]);
    await post(service, 1002, [
      { recordedAt, ...smallest },
      { recordedAt, amountMinor: -7n },
    ]);
    const { text } = await measure(service, purchasesPath);
    assert.match(text, /"amount":184467440737095516\.23,/);
  });

  test('[public.09] the currency is the greatest one, and amounts are not converted', async () => {
    const amountMinor = -150n;
    const of = (...currencies: string[]) => count(currencies.map((currency) => ({ currency, amountMinor })));
    assert.deepEqual([(await of('SEK', 'DKK', 'NOK')).currency, (await of('', 'DKK')).currency], ['SEK', 'DKK']);
    assert.partialDeepStrictEqual(await of('', ''), { count: 2, amount: 3, currency: null });
  });

  test('[public.10] without purchases the count is 0, and there is neither amount nor currency', async () => {
    assert.partialDeepStrictEqual(await count([{ amountMinor: 100n }]), { count: 0, amount: null, currency: null });
  });

  test('[public.02, public.10] a tenant without any bank has no purchases', async () => {
    const { json } = await service.call('GET', purchasesPath, { host: 'api.fjord.localhost' });
    assert.partialDeepStrictEqual(json, { tenantKid: 'fjord', count: 0, amount: null, currency: null });
  });

  test('[public.21, public.22, public.23] the map has a point for each pair of coordinates, and counts the rest', async () => {
    await service.write('sund', async (db) => {
      for (const [bankId, locationId, latitude, longitude] of [
        [1001, 1, 55_676_111, 12_568_333],
        [1001, 2, -1, 0],
        [1002, 1, 55_676_111, 12_568_333],
        [1002, 2, 55_676_111, null],
      ] as const)
        await db
          .updateTable('locations')
          .set({ latitude, longitude })
          .where('bank_id', '=', bankId)
          .where('location_id', '=', locationId)
          .execute();
    });
    const recordedAt = startDay();
    for (const bankId of [1001, 1002])
      await post(
        service,
        bankId,
        [1, 1, 2, 0, 99].map((locationId) => ({ recordedAt, locationId })),
      );
    const { json } = await measure(service, purchaseMapPath);
    assert.deepEqual(json, {
      tenantKid: 'sund',
      sinceUtc: formatUtc(recordedAt - hourMs),
      measuredAtUtc: formatUtc(recordedAt),
      lookbackHours: 1,
      points: [
        { latitude: -1, longitude: 0, count: 1 },
        { latitude: 55_676_111, longitude: 12_568_333, count: 4 },
      ],
      unplacedCount: 5,
    });
    const { json: purchases } = await measure(service, purchasesPath);
    assert.equal(purchases.count, 10);
  });

  test('[public.22] the map leaves out entries that are not purchases', async () => {
    const recordedAt = startDay();
    await post(service, 1001, [
      { recordedAt },
      { recordedAt, residentId: 1000 },
      { recordedAt, text: 'Dose' },
      { recordedAt, amountMinor: 0n },
      { recordedAt: recordedAt - hourMs },
    ]);
    const { json } = await measure(service, purchaseMapPath);
    const placed = (json.points as Counted[]).reduce((total, point) => total + point.count, 0);
    assert.equal(placed + json.unplacedCount, 1);
  });
});
