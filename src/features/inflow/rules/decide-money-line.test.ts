// Tests which lines about money are booked, held or recognised as repeats.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideMoneyLine, type MoneyFacts, type RefundableUse } from './decide-money-line.ts';
import type { MoneyLine } from './money-line.ts';

const use: RefundableUse = {
  residentId: 1001,
  documentId: 5,
  text: 'Wash',
  amountMinor: -1500n,
  vatMinor: -300n,
  leftMinor: 1000n,
  source: { postingId: 7 },
};

const line: MoneyLine = {
  kind: 'use',
  time: { at: 0 },
  unit: 'unit',
  key: 'key',
  amountMinor: -1500n,
  currency: 'DKK',
  documentId: 5,
  text: 'Wash',
  ref: undefined,
  refundedRef: undefined,
  from: 0,
  to: 300_000,
  booking: undefined,
  counters: {},
};

const facts: MoneyFacts = {
  at: 1000,
  isAhead: false,
  isUnitKnown: true,
  currency: 'DKK',
  content: 'a',
  knownContent: undefined,
  keyHolder: { residentId: 1002, since: 0 },
  refunded: undefined,
};

const describe = (decided: ReturnType<typeof decideMoneyLine>): string =>
  decided.kind === 'hold' ? [decided.code, decided.reason].filter(Boolean).join(':') : decided.kind;

test('each line is booked, held with one code, or recognised as a repeat', () => {
  const cases: readonly (readonly [string, Partial<MoneyLine>, Partial<MoneyFacts>])[] = [
    ['book', {}, {}],
    ['book', { amountMinor: 0n }, {}],
    ['book', { kind: 'pay', amountMinor: 1n }, {}],
    ['book', { kind: 'access', amountMinor: undefined, currency: undefined }, {}],
    ['book', { kind: 'refund', amountMinor: 1000n }, { refunded: use, keyHolder: undefined }],
    ['book', { kind: 'refund', amountMinor: undefined }, { refunded: use }],
    ['make-booking', { kind: 'booking' }, {}],
    ['cancel-booking', { kind: 'cancel', amountMinor: undefined }, { keyHolder: undefined }],
    ['other', {}, { knownContent: 'a' }],
    ['other', {}, { knownContent: 'a', keyHolder: undefined, isAhead: true }],
    ['malformed', {}, { at: undefined }],
    ['unknown-unit', {}, { isUnitKnown: false, keyHolder: undefined }],
    ['ref-conflict', {}, { knownContent: 'b' }],
    ['time-ahead', {}, { isAhead: true }],
    ['foreign-currency', { currency: 'SEK' }, {}],
    ['invalid-amount', { amountMinor: 1n }, {}],
    ['invalid-amount', { kind: 'pay', amountMinor: 0n }, {}],
    ['invalid-amount', { kind: 'pay', amountMinor: -1n }, {}],
    ['invalid-amount', { kind: 'access', amountMinor: -1n }, {}],
    ['invalid-amount', { kind: 'booking', amountMinor: 1n }, {}],
    ['invalid-amount', { kind: 'refund', amountMinor: 1001n }, { refunded: use }],
    ['invalid-amount', { kind: 'refund', amountMinor: 0n }, { refunded: use }],
    ['invalid-amount', { kind: 'refund', amountMinor: undefined }, { refunded: { ...use, leftMinor: 0n } }],
    ['unknown-ref', { kind: 'refund', amountMinor: 1n }, {}],
    ['booking-refused:invalid-interval', { kind: 'booking', from: 1 }, {}],
    ['booking-refused:invalid-interval', { kind: 'booking', from: 300_000 }, {}],
    ['booking-refused:invalid-interval', { kind: 'booking', to: 300_000 * 5000 }, {}],
    ['unknown-key', {}, { keyHolder: undefined }],
    ['unknown-key', {}, { keyHolder: { residentId: 1002, since: 1001 } }],
  ];
  for (const [expected, change, known] of cases)
    assert.equal(describe(decideMoneyLine({ ...line, ...change }, { ...facts, ...known })), expected);
  assert.equal(describe(decideMoneyLine(undefined, facts)), 'malformed');
});

const lines: fc.Arbitrary<MoneyLine> = fc
  .record({
    kind: fc.constantFrom('use', 'pay', 'refund', 'access', 'booking', 'cancel'),
    amountMinor: fc.option(fc.bigInt(-2000n, 2000n), { nil: undefined }),
    currency: fc.constantFrom('DKK', 'SEK', undefined),
    from: fc.constantFrom(0, 1, 300_000),
    to: fc.constantFrom(0, 300_000, 600_000),
  })
  .map((change) => ({ ...line, ...change }));

const knowledge: fc.Arbitrary<MoneyFacts> = fc
  .record({
    at: fc.constantFrom(1000, 0, undefined),
    isAhead: fc.boolean(),
    isUnitKnown: fc.boolean(),
    knownContent: fc.constantFrom(undefined, undefined, 'a', 'b'),
    keyHolder: fc.constantFrom(undefined, { residentId: 1002, since: 0 }, { residentId: 1002, since: 500 }),
    refunded: fc.constantFrom(undefined, use, { ...use, leftMinor: 0n }),
  })
  .map((known) => ({ ...facts, ...known }));

/** Everything that is wrong with a line, the most important first. */
function listFaults({ kind, amountMinor, currency, from = 0, to = 0 }: MoneyLine, known: MoneyFacts): string[] {
  const amount = amountMinor ?? 0n;
  const signs = { use: amount <= 0n, booking: amount <= 0n, pay: amount > 0n, refund: amount >= 0n };
  const left = known.refunded?.leftMinor ?? 0n;
  const isRefund = kind === 'refund';
  const needsHolder = !isRefund && kind !== 'cancel';
  const faults: [code: string, applies: boolean][] = [
    ['malformed', known.at === undefined],
    ['unknown-unit', !known.isUnitKnown],
    ['other', known.knownContent === 'a'],
    ['ref-conflict', known.knownContent === 'b'],
    ['time-ahead', known.isAhead],
    ['foreign-currency', currency === 'SEK'],
    ['invalid-amount', !(kind in signs ? signs[kind as keyof typeof signs] : amount === 0n)],
    ['unknown-ref', isRefund && known.refunded === undefined],
    ['invalid-amount', isRefund && (left === 0n || amountMinor === 0n || amount > left)],
    ['booking-refused:invalid-interval', kind === 'booking' && (from === 1 || to <= from)],
    ['unknown-key', needsHolder && (known.keyHolder === undefined || known.keyHolder.since > (known.at ?? 0))],
  ];
  return faults.flatMap(([code, applies]) => (applies ? [code] : []));
}

test('a line is held for the first of its faults, and booked on its resident without one', () => {
  fc.assert(
    fc.property(lines, knowledge, (drawn, known) => {
      const decided = decideMoneyLine(drawn, known);
      const [fault] = listFaults(drawn, known);
      if (fault !== undefined) return assert.equal(describe(decided), fault);
      assert.notEqual(decided.kind, 'hold');
      if (decided.kind === 'book') assert.equal(decided.residentId, drawn.kind === 'refund' ? use.residentId : 1002);
      if (decided.kind !== 'hold' && decided.kind !== 'other') assert.equal(decided.at, known.at);
    }),
    { numRuns: 5000 },
  );
});
