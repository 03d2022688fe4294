// Searching and sorting by names gives what the plain way gives, which compares every name with every other.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, localiseName } from '../../lib/language.ts';
import { foundByNames } from './by-names.ts';
import type { NamedRow } from './queries/bookings.ts';

const cutoff = 50;
const now = 100;

const rows = fc.uniqueArray(
  fc.record({
    booking_id: fc.integer({ min: 1, max: 1000 }),
    location_id: fc.constant(1),
    unit_id: fc.constant(1),
    user_id: fc.constantFrom(0, 1000, 1001, 1002),
    start_at: fc.integer({ min: 45, max: 60 }),
    location_name: fc.constantFrom('House A', 'House Ö'),
    unit_name: fc.constantFrom('{washer} 2', '{washer} 10', '{sauna} 1', 'Plain', null),
    resident_name: fc.constantFrom('Ada', 'ada', 'Åse', 'Zoe', 'Zoé', 'Resident 2', 'Resident 10', null),
    resident_expired_at: fc.constantFrom(null, null, 100, 101),
  }),
  { selector: ({ booking_id }) => booking_id, maxLength: 30 },
);

test('[bookings.05, bookings.06] what is found by names, and its order, is that of the names shown', () => {
  const filters = fc.constantFrom(undefined, '', 'a', 'WASH', 'vask', 'resident 1', 'ö', 'é', 'nothing');
  const sorts = fc.constantFrom('start', 'unit', 'user');
  fc.assert(
    fc.property(
      rows,
      filters,
      sorts,
      fc.constantFrom('asc', 'desc'),
      fc.constantFrom(...languages),
      (all, filter, sort, direction, language) => {
        const context = { tenant: 'sund', language, now, cutoff };
        const unit = (row: NamedRow): string => localiseName(row.unit_name ?? '', language);
        const user = (row: NamedRow): string => {
          const isGone = row.resident_expired_at !== null && row.resident_expired_at <= now;
          return row.user_id === 0 || row.start_at < cutoff || isGone ? '' : (row.resident_name ?? '');
        };
        const { compare } = new Intl.Collator(language, { numeric: true });
        const sign = direction === 'asc' ? 1 : -1;
        const byStart = (a: NamedRow, b: NamedRow) => a.start_at - b.start_at || a.booking_id - b.booking_id;
        const expected = all
          .filter((row) =>
            [unit(row), row.location_name, user(row)].some((name) =>
              name.toLowerCase().includes((filter ?? '').toLowerCase()),
            ),
          )
          .toSorted((a, b) => {
            if (sort === 'start') return sign * byStart(a, b);
            const name = sort === 'unit' ? unit : user;
            return sign * compare(name(a), name(b)) || byStart(a, b);
          });
        const wish = { sort, direction, ...(filter === undefined ? {} : { filter }) } as const;
        assert.deepEqual(
          foundByNames(all, wish, context),
          expected.map(({ booking_id }) => booking_id),
        );
      },
    ),
    { numRuns: 500 },
  );
});
