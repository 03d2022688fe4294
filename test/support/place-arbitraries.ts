// Generates random trees of places, viewers and queries near likely mistakes: at the edges of being online, with
// deleted and disabled places at every level, with types in either field.

import * as fc from 'fast-check';
import {
  createBankTreeModel,
  createLocationModel,
  createUnitModel,
  type BankTreeModel,
  type LocationModel,
  type UnitModel,
} from './place-trees.ts';
import { knownCodes, placeIcons, storedZones, type OverviewViewer } from './places-oracle.ts';
import { dayMs, hourMs } from './times.ts';

export const placesTestNow = 834_000_000_123;
const [hour, day] = [hourMs, dayMs];

const lastContacts = fc.oneof(
  fc.constant(null),
  fc
    .tuple(fc.constantFrom(0, hour, day, 100 * day), fc.integer({ min: -1, max: 1 }))
    .map(([silent, off]) => placesTestNow - silent + off),
  fc.integer({ min: 0, max: 200 * day }).map((silent) => placesTestNow - silent),
);
const flags = ['true', 'false', null];
const settingValues: Readonly<Record<string, readonly (string | null)[]>> = {
  Bookable: flags,
  OutOfOrder: flags,
  AutoOutOfOrder: ['0', '1', '17', '-3', null],
  BookingStep: ['30'],
};
/** Settings of a unit, each given or not. */
const settings: fc.Arbitrary<UnitModel['settings']> = fc
  .subarray(Object.entries(settingValues))
  .chain((given) =>
    fc.tuple(...given.map(([name, values]) => fc.constantFrom(...values).map((value) => [name, value]))),
  )
  .map((given) => Object.fromEntries(given));
const mostlyArbitrary = (usual: boolean) => fc.nat(4).map((roll) => (roll === 0 ? !usual : usual));
const unitTypeCodes = fc.constantFrom(...knownCodes, 200);

/** Any of 64 bits around the eight of the type. */
const packedType = fc
  .tuple(fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n - 1n }), unitTypeCodes, fc.nat(1))
  .map(([high, type, low]) => high * 512n + BigInt(type * 2 + low));

const anyUnit: fc.Arbitrary<Partial<UnitModel>> = fc.record({
  name: fc.constantFrom('{washer} 1', '{dryer} 10', '{dryer} 9', 'Room {freezer}', 'Ærø', '', '{robot}'),
  type: fc.oneof(unitTypeCodes, fc.constant(0)),
  packed: fc.option(packedType, { nil: null }),
  enabled: mostlyArbitrary(true),
  deleted: mostlyArbitrary(false),
  lastContactAt: lastContacts,
  settings,
});

const anyLocation: fc.Arbitrary<LocationModel> = fc
  .record({
    id: fc.integer({ min: 1, max: 12 }),
    units: fc.array(anyUnit, { maxLength: 6 }),
    name: fc.constantFrom('House 2', 'House 10', 'house', 'Å', 'Alder'),
    icon: fc.constantFrom(...placeIcons),
    address: fc.constantFrom('', 'Alder Lane 4', 'Alder Lane 10'),
    zip: fc.constantFrom('', '2100', '111 29'),
    latitude: fc.constantFrom(null, 55_676_111, -90_000_000),
    longitude: fc.constantFrom(null, 12_568_333, 180_000_000),
    timeZone: fc.constantFrom(...storedZones),
    enabled: mostlyArbitrary(true),
    deleted: mostlyArbitrary(false),
  })
  .map(({ id, units, ...rest }) => {
    const placed = units.map((each, at) => createUnitModel(1 + at * 3, each));
    return createLocationModel(id, placed, rest);
  });

const anyBank: fc.Arbitrary<BankTreeModel> = fc
  .record({
    id: fc.constantFrom(1001, 1002, 1003, 1010),
    locations: fc.uniqueArray(anyLocation, { maxLength: 5, selector: ({ id }) => id }),
    name: fc.constantFrom('Bank 2', 'Bank 10', 'bank', 'Øst'),
    type: fc.constantFrom(1, 1, 2, 7),
    icon: fc.constantFrom(...placeIcons),
    enabled: mostlyArbitrary(true),
    deleted: mostlyArbitrary(false),
  })
  .map(({ id, locations, ...rest }) => createBankTreeModel(id, locations, rest));

export const anyBanks = fc.uniqueArray(anyBank, { minLength: 1, maxLength: 4, selector: ({ id }) => id });

const anyGrant = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ bankId: 0, locationId: 0 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1001, 1002, 1003, 1004).map((bankId) => ({ bankId, locationId: 0 })),
  },
  {
    weight: 5,
    arbitrary: fc.record({ bankId: fc.constantFrom(1001, 1002, 1003), locationId: fc.integer({ min: 1, max: 12 }) }),
  },
);

export const anyViewer: fc.Arbitrary<OverviewViewer> = fc.record({
  grants: fc.uniqueArray(anyGrant, {
    minLength: 1,
    maxLength: 12,
    selector: ({ bankId, locationId }) => `${bankId}/${locationId}`,
  }),
  language: fc.constantFrom('en', 'da'),
  now: fc.constant(placesTestNow),
});

export type OverviewQuery = {
  readonly filter?: string | undefined;
  readonly sort: 'kid' | 'name' | 'address' | 'unitType';
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
};

export const anyOverviewQuery = (
  ...sorts: [OverviewQuery['sort'], ...OverviewQuery['sort'][]]
): fc.Arbitrary<OverviewQuery> =>
  fc.record(
    {
      filter: fc.constantFrom('', 'a', 'ALDER', 'house', '21', 'tør', '{', 'æ'),
      sort: fc.constantFrom(...sorts),
      direction: fc.constantFrom('asc', 'desc'),
      offset: fc.nat(3),
      limit: fc.constantFrom(1, 2, 50, 200),
    },
    { requiredKeys: ['sort', 'direction', 'offset', 'limit'] },
  );
