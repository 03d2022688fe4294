// Generates random ledgers and queries near likely mistakes: at the edges of days, hours and months, at clock changes,
// at both limits of 64 bits, on crowded instants.

import * as fc from 'fast-check';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { localDateOf, ms2000Of, queryZone, type BankModel, type AccountQuery } from './account-oracle.ts';
import { hourMs } from './times.ts';

const zones = ['Europe/Copenhagen', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'America/Sao_Paulo'];
const namedZones = [...zones, 'Australia/Lord_Howe', 'UTC', 'Romance Standard Time', 'Nepal Standard Time'];
const windowsZones = ['Newfoundland Standard Time', 'Samoa Standard Time'];

/** Midnights, days of clock changes, the turn of a year, as a clock may show them. */
export const exampleInstants: readonly number[] = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T00:30:00Z',
  '2026-07-01T18:14:59.999Z',
  '2026-07-01T18:15:00Z',
  '2026-11-01T04:31:00Z',
  '2025-12-31T23:30:00Z',
  '2024-02-29T12:00:00Z',
].map(ms2000Of);

const farTimes = [
  '1999-12-31T23:59:59.999Z',
  '2000-01-01T00:00:00Z',
  '2000-01-01T00:00:00.001Z',
  '1970-01-01T00:00:00Z',
  '2011-12-30T09:59:59.999Z',
  '2011-12-30T10:00:00Z',
  '2018-11-04T03:00:00Z',
  '1582-10-10T12:00:00Z',
  '0001-01-02T00:00:00Z',
  '9999-12-30T23:59:59.999Z',
].map(ms2000Of);

const edgeOffset = fc.constantFrom(-1, 0, 0, 1, 59_999);

/** Instants up to 380 days back, and some far away. */
function instantsAround(now: number): fc.Arbitrary<number> {
  const dayStart = fc.record({
    zone: fc.constantFrom(...zones),
    days: fc.integer({ min: -380, max: 2 }),
    off: edgeOffset,
  });
  const monthStart = fc.record({ months: fc.integer({ min: -13, max: 1 }), off: edgeOffset });
  const today = Temporal.PlainDate.from(localDateOf('UTC', now));
  const atDay = (day: Temporal.PlainDate, zone: string): number =>
    ms2000Of(day.toZonedDateTime(zone).toInstant().toString());
  return fc.oneof(
    { weight: 4, arbitrary: dayStart.map(({ zone, days, off }) => atDay(today.add({ days }), zone) + off) },
    {
      weight: 2,
      arbitrary: monthStart.map(({ months, off }) => atDay(today.with({ day: 1 }).add({ months }), 'UTC') + off),
    },
    {
      weight: 3,
      arbitrary: fc.integer({ min: -9000, max: 30 }).map((hours) => Math.floor(now / hourMs + hours) * hourMs),
    },
    { weight: 3, arbitrary: fc.integer({ min: -400 * 24 * hourMs, max: hourMs }).map((back) => now + back) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }).map((which) => now - which * 5 * hourMs) },
    { weight: 1, arbitrary: fc.constantFrom(...farTimes) },
  );
}

const most = 2n ** 63n - 1n;
const amounts = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: -9999n, max: 9999n }) },
  { weight: 2, arbitrary: fc.constant(0n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(most, most - 1n, -most, -most - 1n, 2n ** 53n, -(2n ** 53n) - 1n, 2n ** 32n),
  },
  { weight: 1, arbitrary: fc.bigInt({ min: -most - 1n, max: most }) },
);

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const kinds = [
  'Unknown',
  'Consumption',
  'Booking',
  'Month',
  'Payment',
  'Credit',
  'Discount',
  'TransferToRent',
] as const;

/** Locations 0..3 and units 0..3 exist or do not; so do the residents. */
export function postingDrafts(
  now: number,
  bounds: { minLength: number; maxLength: number },
): fc.Arbitrary<PostingDraft[]> {
  const one: fc.Arbitrary<PostingDraft> = fc.record({
    recordedAt: instantsAround(now),
    locationId: fc.constantFrom(0, 1, 1, 2, 2, 3),
    unitId: fc.constantFrom(0, 1, 1, 2, 3),
    residentId: fc.constantFrom(0, 1000, 1001, 1001, 1002, 1003, 1004, 5005),
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constant('Consumption' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...kinds) },
    ),
    paymentKind: fc.constantFrom('', '', '', 'Credit', 'ReserveRefund', 'Managed'),
    currency: fc.constantFrom('DKK', 'DKK', 'EUR', 'SEK', ''),
    amountMinor: amounts,
    vatMinor: nullable(amounts),
    documentId: fc.constantFrom(null, 0, -7, 1, 2, 3, Number.MAX_SAFE_INTEGER),
    text: fc.constantFrom('Wash', 'Tørring ✓', '', '"quoted" <text>'),
    internalTag: fc.constantFrom(null, 1, 77),
    paymentReference: fc.constantFrom(null, 'pay-4571-secret'),
  });
  return fc.array(one, { ...bounds, size: 'max' });
}

/** A query without a bank: numbers select places and times among those of the bank. */
export const accountQueryWishes = fc.record({
  zone: fc.constantFrom(...namedZones, ...windowsZones, undefined),
  anchor: fc.nat(),
  back: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 366 })),
  days: fc.oneof(fc.constantFrom(1, 2, 31, 366, 367), fc.integer({ min: 1, max: 367 })),
  time: fc.constantFrom('days', 'days', 'days', 'days', 'today', 'period', 'both'),
  period: fc.integer({ min: 0, max: 6 }),
  location: fc.constantFrom(undefined, undefined, undefined, 1, 2, 9),
  unit: fc.constantFrom(undefined, undefined, undefined, [1, 1] as const, [2, 3] as const, [9, 9] as const),
  user: fc.constantFrom(undefined, undefined, undefined, 0, 1000, 1001, 1004, 5005),
  Kind: fc.constantFrom(undefined, 'all' as const, 'debit' as const, 'credit' as const),
  IncludeZero: fc.constantFrom(undefined, true, false),
  IncludeBookings: fc.constantFrom(undefined, true, false),
  IncludeMonthly: fc.constantFrom(undefined, true, false),
  Offset: fc.oneof(fc.constantFrom(undefined, 0), fc.integer({ min: 0, max: 450 })),
  Limit: fc.oneof(fc.constantFrom(undefined, 1, 200), fc.integer({ min: 1, max: 200 })),
});
export type AccountQueryWish = typeof accountQueryWishes extends fc.Arbitrary<infer T> ? T : never;

/** Leaves out what a limited grant cannot request. */
export function accountQueryOf(
  book: BankModel,
  wish: AccountQueryWish,
  coverage: 'all' | readonly number[],
): AccountQuery {
  const { zone, anchor, back, days, time, period, location, unit, user, ...rest } = wish;
  const query: Record<string, unknown> = { ...rest, TimeZone: zone, user };
  if (time === 'period' || time === 'both') query['Period'] = period;
  if (time === 'both') query['WithinDates'] = true;
  if (time === 'days' || time === 'both') {
    const { recordedAt } = book.rows[anchor % book.rows.length] ?? { recordedAt: 0 };
    const wished = Temporal.PlainDate.from(localDateOf(queryZone(query), recordedAt)).subtract({
      days: Math.min(back, days - 1),
    });
    const bounds = [Temporal.PlainDate.from('0001-01-01'), Temporal.PlainDate.from('9998-01-01')] as const;
    const [first] = [wished, bounds[1]].toSorted(Temporal.PlainDate.compare);
    const [, from] = [first as Temporal.PlainDate, bounds[0]].toSorted(Temporal.PlainDate.compare);
    query['From'] = String(from);
    query['Through'] = String((from as Temporal.PlainDate).add({ days: days - 1 }));
  }
  const within = (id: number): boolean => coverage === 'all' || coverage.includes(id);
  if (location !== undefined && within(location)) query['location'] = location;
  if (unit !== undefined && within(unit[0])) query['unit'] = unit;
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Runs of a property over whole ledgers: a failure tells its seed, not hundreds of postings. */
export function ledgerRuns<T>(numRuns: number): fc.Parameters<T> {
  return {
    numRuns,
    endOnFailure: true,
    asyncReporter: async ({ failed, seed, counterexamplePath, errorInstance }) => {
      if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath}`, { cause: errorInstance });
    },
  };
}
