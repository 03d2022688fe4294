// Checks decisions about commands against tables, and against an oracle that applies the rules in local time, minute by
// minute.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMs2000, toMs2000 } from '../../../lib/time/ms2000.ts';
import { refusalCodes, type RefusalCode } from './refusal-codes.ts';
import {
  listAllowedCommands,
  listRefusalCodes,
  bookingCommands,
  displayedStateAt,
  findStateRefusal,
  decideCommand,
  type BookingCommand,
  type CommandConditions,
} from './allowed-commands.ts';
import { parsePolicy } from './policy.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/time/durations.ts';

const at = (text: string): number => toMs2000(Date.parse(text));
const now = at('2026-06-15T09:30:00Z');
const zone = 'Europe/Copenhagen';

const policy = (settings: Record<string, string> = {}) =>
  parsePolicy(new Map(Object.entries({ Bookable: 'true', ...settings })));
const createConditions = (change: Partial<CommandConditions> = {}): CommandConditions => {
  const startAt = change.startAt ?? now + dayMs;
  return {
    state: 'Booked',
    startAt,
    endAt: startAt + hourMs,
    unitState: 'in-use',
    isPlaceEnabled: true,
    isResidentGone: false,
    policy: policy(),
    timeZone: zone,
    isTimeTaken: false,
    otherStarts: [],
    ...change,
  };
};
const createCancelledConditions = (change: Partial<CommandConditions> = {}): CommandConditions =>
  createConditions({ state: 'Cancelled', ...change });

const table: [what: string, command: BookingCommand, conditions: CommandConditions, codes: RefusalCode[]][] = [
  ['a booking ahead', 'Cancel', createConditions(), []],
  ['a cancelled one ahead', 'Restore', createCancelledConditions(), []],
  ['a booking that runs', 'Cancel', createConditions({ startAt: now - 1 }), []],
  ['a cancelled one that would run', 'Restore', createCancelledConditions({ startAt: now - 1 }), []],
  ['a booking until its last millisecond', 'Cancel', createConditions({ startAt: now - hourMs + 1 }), []],
  ['a booking at its end', 'Cancel', createConditions({ startAt: now - hourMs }), ['ended']],
  ['one that is over, and cancelled', 'Cancel', createCancelledConditions({ startAt: now - dayMs }), ['ended']],
  [
    'one that is over, of a deleted unit',
    'Restore',
    createCancelledConditions({ startAt: now - dayMs, unitState: 'deleted' }),
    ['ended'],
  ],
  ['a cancelled one', 'Cancel', createCancelledConditions(), ['not-booked']],
  ['a booked one', 'Restore', createConditions({ isTimeTaken: true, unitState: 'disabled' }), ['not-cancelled']],
  ['a unit that is out of use', 'Cancel', createConditions({ unitState: 'disabled' }), []],
  ['a unit that is deleted', 'Cancel', createConditions({ unitState: 'deleted' }), ['unit-deleted']],
  ['a unit that is no longer booked', 'Cancel', createConditions({ policy: policy({ Bookable: 'false' }) }), []],
  [
    'a unit that is no longer booked',
    'Restore',
    createCancelledConditions({ policy: policy({ Bookable: 'false' }) }),
    ['not-bookable'],
  ],
  ['a resident who is gone', 'Cancel', createConditions({ isResidentGone: true }), []],
  ['a resident who is gone', 'Restore', createCancelledConditions({ isResidentGone: true }), ['resident-gone']],
  ['a place that is out of use', 'Cancel', createConditions({ isPlaceEnabled: false }), []],
  ['a place that is out of use', 'Restore', createCancelledConditions({ isPlaceEnabled: false }), ['place-disabled']],
  ['a deadline just kept', 'Cancel', createConditions({ policy: policy({ BookingCancelDeadline: '1440' }) }), []],
  [
    'a deadline just missed',
    'Cancel',
    createConditions({ startAt: now + dayMs - 1, policy: policy({ BookingCancelDeadline: '1440' }) }),
    ['cancel-deadline'],
  ],
  [
    'a deadline of nothing, at the start',
    'Cancel',
    createConditions({ startAt: now, policy: policy({ BookingCancelDeadline: '0' }) }),
    [],
  ],
  [
    'a deadline of nothing, after the start',
    'Cancel',
    createConditions({ startAt: now - 1, policy: policy({ BookingCancelDeadline: '0' }) }),
    ['cancel-deadline'],
  ],
  [
    'a deadline',
    'Restore',
    createCancelledConditions({ startAt: now + 1, policy: policy({ BookingCancelDeadline: '1440' }) }),
    [],
  ],
  ['a notice just kept', 'Restore', createCancelledConditions({ policy: policy({ BookingNotice: '1440' }) }), []],
  [
    'a notice just missed',
    'Restore',
    createCancelledConditions({ startAt: now + dayMs - 1, policy: policy({ BookingNotice: '1440' }) }),
    ['notice'],
  ],
  [
    'a notice of nothing, after the start',
    'Restore',
    createCancelledConditions({ startAt: now - 1, policy: policy({ BookingNotice: '0' }) }),
    ['notice'],
  ],
  // The last local day within seven days begins at 22:00 UTC on the 21st, and ends a millisecond before 22:00 on the
  // 22nd.
  [
    'the last instant of the horizon',
    'Restore',
    createCancelledConditions({ startAt: at('2026-06-22T21:59:59.999Z'), policy: policy({ BookingHorizon: '7' }) }),
    [],
  ],
  [
    'the first instant beyond the horizon',
    'Restore',
    createCancelledConditions({ startAt: at('2026-06-22T22:00:00Z'), policy: policy({ BookingHorizon: '7' }) }),
    ['horizon'],
  ],
  [
    'a horizon of today',
    'Restore',
    createCancelledConditions({ startAt: at('2026-06-15T21:59:00Z'), policy: policy({ BookingHorizon: '0' }) }),
    [],
  ],
  ['a horizon', 'Cancel', createConditions({ startAt: now + 9 * dayMs, policy: policy({ BookingHorizon: '7' }) }), []],
  [
    'everything at once',
    'Restore',
    createCancelledConditions({
      isTimeTaken: true,
      unitState: 'disabled',
      isPlaceEnabled: false,
      isResidentGone: true,
      startAt: now + 3 * dayMs,
      otherStarts: [now + 3 * dayMs],
      policy: policy({
        Bookable: 'false',
        BookingNotice: '10000',
        BookingHorizon: '1',
        BookingMaxOpen: '1',
        BookingMaxPerDay: '1',
        BookingMaxPerWeek: '1',
        BookingMaxPerMonth: '1',
      }),
    }),
    [
      ...([
        'overlap',
        'unit-disabled',
        'resident-gone',
        'place-disabled',
        'not-bookable',
        'notice',
        'horizon',
      ] as const),
      ...(['max-open', 'max-per-day', 'max-per-week', 'max-per-month'] as const),
    ],
  ],
];
for (const [what, command, given, codes] of table)
  test(`[bookings.14, bookings.15] ${command}: ${what} ${codes.length === 0 ? 'is allowed' : `has ${codes.join(', ')}`}`, () => {
    assert.deepEqual(listRefusalCodes(command, given, now), codes);
  });

test('[bookings.15] a booked booking is Completed from its end, a cancelled one stays Cancelled', () => {
  const endAt = now;
  for (const [state, instant, shown] of [
    ['Booked', now - 1, 'Booked'],
    ['Booked', now, 'Completed'],
    ['Cancelled', now - 1, 'Cancelled'],
    ['Cancelled', now + 1, 'Cancelled'],
  ] as const)
    assert.equal(displayedStateAt({ state, endAt }, instant), shown);
});

test('[bookings.16] the horizon begins with the local day, also on days of a clock change', () => {
  for (const [start, days, opens] of [
    ['2026-03-30T10:00:00Z', '1', '2026-03-28T23:00:00Z'],
    ['2026-03-31T10:00:00Z', '1', '2026-03-29T22:00:00Z'],
    ['2026-10-26T10:00:00Z', '1', '2026-10-24T22:00:00Z'],
    ['2026-10-27T10:00:00Z', '1', '2026-10-25T23:00:00Z'],
  ] as const) {
    const given = createCancelledConditions({ startAt: at(start), policy: policy({ BookingHorizon: days }) });
    const verdict = decideCommand('Restore', given, at(opens) - 1);
    assert.deepEqual(verdict, { allowed: false, codes: ['horizon'], possibleAt: at(opens) });
    assert.equal(decideCommand('Restore', given, at(opens)).allowed, true);
  }
});

// All times are whole half hours, so that the oracle can try every instant at which anything can change.
const halfHour = 30 * minuteMs;
const base = at('2026-10-22T22:00:00Z');
const choice = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const anyConditions = fc.record({
  state: fc.constantFrom('Booked' as const, 'Cancelled' as const, 'Cancelled' as const),
  start: fc.integer({ min: -4, max: 300 }),
  length: fc.integer({ min: 1, max: 8 }),
  unit: fc.constantFrom(
    'in-use' as const,
    'in-use' as const,
    'in-use' as const,
    'disabled' as const,
    'deleted' as const,
  ),
  taken: fc.boolean(),
  placeInUse: fc.constantFrom(true, true, true, false),
  residentGone: fc.constantFrom(false, false, false, true),
  others: fc.array(fc.integer({ min: -100, max: 300 }), { maxLength: 5 }),
  settings: fc.record({
    Bookable: fc.constantFrom('true', 'true', 'true', 'false'),
    BookingCancelDeadline: choice('0', '30', '1440'),
    BookingNotice: choice('0', '60', '2880'),
    BookingHorizon: choice('0', '1', '3'),
    BookingMaxOpen: choice('1', '2', '3'),
    BookingMaxPerDay: choice('1', '2'),
    BookingMaxPerWeek: choice('1', '3'),
    BookingMaxPerMonth: choice('2', '4'),
  }),
});

type GeneratedConditions = typeof anyConditions extends fc.Arbitrary<infer T> ? T : never;

const parseLocalTime = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
/** The number of the local day, from the formatted date. */
const dayNumber = (instant: number): number =>
  Date.parse(`${parseLocalTime.format(fromMs2000(instant))}T00:00:00Z`) / dayMs;
const monthText = (instant: number): string => parseLocalTime.format(fromMs2000(instant)).slice(0, 7);
/** 1970-01-01 was a Thursday; weeks begin on Mondays. */
const weekNumber = (instant: number): number => Math.floor((dayNumber(instant) + 3) / 7);

/** All reasons against a command, computed without the code under test. */
function oracle(command: BookingCommand, world: GeneratedConditions, instant: number): Set<RefusalCode> {
  const { settings } = world;
  const start = base + world.start * halfHour;
  const others = world.others.map((each) => base + each * halfHour);
  const minutes = (name: keyof typeof settings): number => Number(settings[name]) * minuteMs;
  const is = (name: keyof typeof settings): boolean => settings[name] !== undefined;
  if (instant >= start + world.length * halfHour) return new Set(['ended']);
  if (command === 'Cancel' && world.state !== 'Booked') return new Set(['not-booked']);
  if (command === 'Restore' && world.state !== 'Cancelled') return new Set(['not-cancelled']);
  const found = new Set<RefusalCode>();
  if (world.unit === 'deleted') found.add('unit-deleted');
  if (command === 'Cancel') {
    if (is('BookingCancelDeadline') && start - instant < minutes('BookingCancelDeadline')) found.add('cancel-deadline');
    return found;
  }
  if (world.taken) found.add('overlap');
  if (world.unit === 'disabled') found.add('unit-disabled');
  if (!world.placeInUse) found.add('place-disabled');
  if (world.residentGone) found.add('resident-gone');
  if (settings.Bookable === 'false') found.add('not-bookable');
  if (is('BookingNotice') && start - instant < minutes('BookingNotice')) found.add('notice');
  if (is('BookingHorizon') && dayNumber(start) - dayNumber(instant) > Number(settings.BookingHorizon))
    found.add('horizon');
  const full = (name: keyof typeof settings, count: number): boolean => is(name) && count >= Number(settings[name]);
  if (start > instant && full('BookingMaxOpen', others.filter((each) => each > instant).length)) found.add('max-open');
  const same = (of: (each: number) => unknown): number => others.filter((each) => of(each) === of(start)).length;
  if (full('BookingMaxPerDay', same(dayNumber))) found.add('max-per-day');
  if (full('BookingMaxPerWeek', same(weekNumber))) found.add('max-per-week');
  if (full('BookingMaxPerMonth', same(monthText))) found.add('max-per-month');
  return found;
}

const toConditions = (world: GeneratedConditions): CommandConditions => {
  const startAt = base + world.start * halfHour;
  const settings = Object.entries(world.settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    state: world.state,
    startAt,
    endAt: startAt + world.length * halfHour,
    unitState: world.unit,
    isPlaceEnabled: world.placeInUse,
    isResidentGone: world.residentGone,
    policy: parsePolicy(new Map(settings as [string, string][])),
    timeZone: zone,
    isTimeTaken: world.taken,
    otherStarts: world.others.map((each) => base + each * halfHour),
  };
};

test('[bookings.15, bookings.16] decisions equal the oracle’s, in the order of the codes, at any instant', () => {
  fc.assert(
    fc.property(
      anyConditions,
      fc.constantFrom(...bookingCommands),
      fc.integer({ min: -10, max: 320 }),
      fc.integer({ min: -1, max: 1 }),
      (world, command, half, nudge) => {
        const instant = base + half * halfHour + nudge;
        const codes = listRefusalCodes(command, toConditions(world), instant);
        const expected = oracle(command, world, instant);
        assert.deepEqual(
          codes,
          refusalCodes.filter((code) => expected.has(code)),
        );
        const unfit = findStateRefusal(command, toConditions(world), instant);
        assert.equal(
          unfit,
          codes.find((code) => ['ended', 'not-booked', 'not-cancelled'].includes(code)),
        );
        assert.equal(listAllowedCommands(toConditions(world), instant).includes(command), codes.length === 0);
      },
    ),
    { numRuns: 2000 },
  );
});

test('[bookings.16] possibleAt is the first half hour at which the oracle finds no refusal; null if that is now or never', () => {
  fc.assert(
    fc.property(
      anyConditions,
      fc.constantFrom(...bookingCommands),
      fc.integer({ min: -10, max: 320 }),
      (world, command, half) => {
        const { allowed, possibleAt } = decideCommand(command, toConditions(world), base + half * halfHour);
        const halves = Array.from({ length: 320 - half }, (_, turn) => half + 1 + turn);
        const first = halves.find((each) => oracle(command, world, base + each * halfHour).size === 0);
        assert.equal(possibleAt, allowed || first === undefined ? null : base + first * halfHour);
      },
    ),
    { numRuns: 500 },
  );
});
