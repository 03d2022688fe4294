// Checks filtering, grouping and paging of bookings by the names that a list shows.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, localiseName } from '../../../lib/text/language.ts';
import {
  slicePageFromGroups,
  filterByNames,
  groupUnitsByName,
  groupResidentsByName,
  type BookingsByUnitRow,
  type BookingsByResidentRow,
} from './name-groups.ts';

const now = 100;
const count = fc.integer({ min: 1, max: 9 });
const units = fc.uniqueArray(
  fc.record({
    location_id: fc.constantFrom(1, 2, 3),
    unit_id: fc.integer({ min: 1, max: 9 }),
    location_name: fc.constantFrom('House A', 'House Ö'),
    unit_name: fc.constantFrom('{washer} 2', '{washer} 10', '{sauna} 1', 'Plain', null),
    count,
  }),
  { selector: ({ location_id, unit_id }) => location_id * 10 + unit_id, maxLength: 12 },
);
const residents = fc.uniqueArray(
  fc.record({
    user_id: fc.constantFrom(null, 0, 1000, ...Array.from({ length: 12 }, (_, index) => 1001 + index)),
    resident_name: fc.constantFrom('Ada', 'ada', 'Åse', 'Zoe', 'Zoé', 'Zoe\u0301', 'Resident 2', 'Resident 10', null),
    resident_expired_at: fc.constantFrom(null, null, now, now + 1),
    count,
  }),
  { selector: ({ user_id }) => user_id, maxLength: 12 },
);
const nameReaders = fc.constantFrom(...languages).map((language) => ({ language, now }));
const directions = fc.constantFrom('asc' as const, 'desc' as const);

const residentName = ({ user_id, resident_name, resident_expired_at }: BookingsByResidentRow): string =>
  user_id === null || user_id === 0 || resident_expired_at === now ? '' : (resident_name ?? '');

test('[bookings.06] units are found by their own and their locations’ names, and residents only while their identity is shown', () => {
  const filters = fc.constantFrom('a', 'WASH', 'vask', 'resident 1', 'ö', 'é', 'nothing');
  fc.assert(
    fc.property(units, residents, filters, nameReaders, (allUnits, allResidents, filter, reader) => {
      const has = (name: string): boolean => name.normalize('NFKC').toLowerCase().includes(filter.toLowerCase());
      const unitName = ({ unit_name }: BookingsByUnitRow): string => localiseName(unit_name ?? '', reader.language);
      const found = filterByNames(filter, { units: allUnits, residents: allResidents }, reader);
      assert.deepEqual(
        found.units,
        allUnits.filter((row) => has(unitName(row)) || has(row.location_name)),
      );
      assert.deepEqual(
        found.residentIds,
        allResidents.filter((row) => has(residentName(row))).map(({ user_id }) => user_id),
      );
      assert.equal(found.includesAnonymous, false);
    }),
  );
});

test('[bookings.05] groups are in the order of the language, and names that it sorts as equal are one group', () => {
  fc.assert(
    fc.property(units, residents, directions, nameReaders, (allUnits, allResidents, direction, reader) => {
      const { compare } = new Intl.Collator(reader.language, { numeric: true });
      const sign = direction === 'asc' ? 1 : -1;
      const unitName = ({ unit_name }: BookingsByUnitRow): string => localiseName(unit_name ?? '', reader.language);
      const byUnit = groupUnitsByName(allUnits, direction, reader);
      assert.deepEqual(byUnit.flatMap((group) => group.units).toSorted(sortByIds), allUnits.toSorted(sortByIds));
      const names = byUnit.map((group) => (group.units as BookingsByUnitRow[]).map(unitName));
      const byResident = groupResidentsByName(allResidents, direction, reader).map(
        ({ residentIds, includesAnonymous }) =>
          allResidents.filter(({ user_id }) => (user_id === null ? includesAnonymous : residentIds.includes(user_id))),
      );
      for (const groups of [names, byResident.map((group) => group.map(residentName))])
        for (const [index, group] of groups.entries()) {
          assert.ok(group.every((name) => compare(name, group[0] ?? '') === 0));
          const before = groups[index - 1]?.[0];
          assert.ok(before === undefined || sign * compare(before, group[0] ?? '') < 0);
        }
      assert.equal(byResident.flat().length, allResidents.length);
    }),
  );
});

test('[bookings.05] the slices of a page contain its part of the groups and one more booking', () => {
  const counts = fc.array(fc.nat(5), { maxLength: 12 });
  fc.assert(
    fc.property(counts, fc.nat(30), fc.integer({ min: 1, max: 12 }), (all, offset, limit) => {
      const groups = all.map((each, index) => ({
        name: String(index),
        units: [],
        residentIds: [index],
        includesAnonymous: false,
        count: each,
      }));
      const bookings = groups.flatMap((group) =>
        Array.from({ length: group.count }, (_, index) => ({ group, at: index })),
      );
      const slices = slicePageFromGroups(groups, { offset, limit });
      assert.deepEqual(
        slices.flatMap(({ group, skip, take }) =>
          Array.from({ length: take }, (_, index) => ({ group, at: skip + index })),
        ),
        bookings.slice(offset, offset + limit + 1),
      );
      assert.ok(slices.every(({ take }) => take > 0));
      assert.ok(slices.filter(({ group, take }) => take < group.count).length <= 2);
    }),
    { numRuns: 1000 },
  );
});

const sortByIds = (
  a: Pick<BookingsByUnitRow, 'location_id' | 'unit_id'>,
  b: Pick<BookingsByUnitRow, 'location_id' | 'unit_id'>,
): number => a.location_id - b.location_id || a.unit_id - b.unit_id;
