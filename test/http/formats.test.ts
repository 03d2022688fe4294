// Instants and money in answers: RFC 3339 in UTC, milliseconds since 2000, and exact integers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { grantBank } from '../support/granted-banks.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const account = '/api/v1/banks/sund-B1001/account?Period=0&limit=200';
const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Amounts of postings, each in its own currency, so that each is also its currency's total. */
const amounts = new Map<string, bigint>([
  ['AAA', int64Max],
  ['AAB', int64Min],
  ['AAC', int64Min + 1n],
  ['AAD', 2n ** 53n],
  ['AAE', 2n ** 53n + 1n],
  ['AAF', -(2n ** 53n) - 1n],
  ['AAG', 2n ** 53n - 1n],
  ['AAH', 4_294_967_295n],
  ['AAI', -4_294_967_297n],
  ['AAJ', -1n],
  ['AAK', 0n],
]);
const instants = [
  '2000-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '2026-03-29T00:59:59.500Z',
  '2026-10-25T01:00:00.001Z',
  '1999-12-31T23:59:59.999Z',
];

/** Parses JSON with every number as its digits. */
function exactly(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? BigInt(context?.source ?? '') : value;
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}

/** Every field of an answer, however deep, by its name. */
function fieldsOf(json: unknown): [name: string, value: unknown][] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => [[name, value] as [string, unknown], ...fieldsOf(value)]);
}

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      const common = { locationId: 1, unitId: 1, residentId: 1000, kind: 'Consumption', text: 'Wash' } as const;
      const now = toMs2000(Date.now());
      await lockAndAppendPostings(db, grantBank(1001), [
        ...[...amounts].map(([currency, amountMinor]) => ({
          ...common,
          recordedAt: now,
          currency,
          amountMinor,
          vatMinor: amountMinor,
        })),
        ...instants.map((instant) => ({
          ...common,
          recordedAt: toMs2000(Date.parse(instant)),
          currency: 'DKK',
          amountMinor: -100n,
        })),
      ]);
    });
  });

  test('[general.37] every ...Utc is an RFC 3339 instant in UTC, and MS2000 the same in milliseconds since 2000', async () => {
    const { json } = await service.call('GET', account, manager);
    const me = await service.call('GET', '/api/v1/session/me', manager);
    const named = [...fieldsOf(json), ...fieldsOf(me.json)].filter(([name]) => name.endsWith('Utc'));
    assert.ok(named.length > instants.length);
    for (const [name, value] of named) {
      if (value === null && name === 'throughUtc') continue;
      assert.match(String(value), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/, name);
      assert.equal(Temporal.Instant.from(String(value)).epochMilliseconds, Date.parse(String(value)));
    }
    const epoch = Temporal.Instant.from('2000-01-01T00:00:00Z');
    for (const { recordedAtUtc, recordedAtMs2000 } of json.items) {
      assert.ok(Number.isSafeInteger(recordedAtMs2000));
      assert.equal(epoch.add({ milliseconds: recordedAtMs2000 }).epochMilliseconds, Date.parse(recordedAtUtc));
    }
    const told = new Set(json.items.map((item: { recordedAtUtc: string }) => item.recordedAtUtc));
    for (const instant of instants) assert.ok(told.has(instant), instant);
  });

  test('[general.38] money is exact over the whole signed 64-bit range, in rows, totals and receipt groups', async () => {
    const { text } = await service.call('GET', account, manager);
    type Money = {
      currency: string;
      amountMinor: bigint;
      vatMinor?: bigint;
      debitMinor?: bigint;
      creditMinor?: bigint;
    };
    const { items, totals, documents } = exactly(text) as Record<'items' | 'totals' | 'documents', Money[]>;
    for (const [currency, amount] of amounts) {
      const of = (list: Money[]): Money[] => list.filter((each) => each.currency === currency);
      assert.deepEqual(
        of(items).map(({ amountMinor, vatMinor }) => [amountMinor, vatMinor]),
        [[amount, amount]],
        currency,
      );
      const [total] = of(totals);
      assert.deepEqual(
        [total?.amountMinor, total?.debitMinor, total?.creditMinor],
        [amount, amount < 0n ? amount : 0n, amount > 0n ? amount : 0n],
        currency,
      );
      assert.deepEqual(
        of(documents).map(({ amountMinor }) => amountMinor),
        [amount],
        currency,
      );
    }
  });

  test('[general.38] money is written as an integer: no fraction, no exponent, no text', async () => {
    const { text } = await service.call('GET', account, manager);
    const written = [...text.matchAll(/"\w+Minor":([^,}\]]+)/g)].map(([, value]) => value ?? '');
    assert.ok(written.length > amounts.size);
    for (const value of written) assert.match(value, /^(?:null|0|-?[1-9]\d*)$/);
  });
});
