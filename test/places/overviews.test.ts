// The overviews of one small tree of places, compared completely.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { allDefinitions } from '../../src/features/units/catalogue/type-catalogue.ts';
import { type ManagerOptions } from '../support/factories.ts';
import { createBankTreeModel, createLocationModel, replacePlaces, createUnitModel } from '../support/place-trees.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs } from '../support/times.ts';

const now = 834_000_000_000;
const [minute, hour, day] = [60_000, hourMs, dayMs];

/** Silences on both sides of every bound. */
const silences = [0, hour - 1, hour, day - 1, day, 100 * day, 100 * day + 1, -minute];
const heard = silences.map((silent, at) => createUnitModel(at + 1, { lastContactAt: now - silent }));

const places = [
  createBankTreeModel(1001, [
    createLocationModel(1, [...heard, createUnitModel(9), createUnitModel(10, { lastContactAt: now, deleted: true })]),
    createLocationModel(
      2,
      [
        createUnitModel(1, { lastContactAt: now, enabled: false }),
        createUnitModel(2, {
          name: '{dryer} 1',
          type: 2,
          lastContactAt: now - 2 * hour,
          settings: { Bookable: 'true' },
        }),
        createUnitModel(3, { name: 'Packages', type: 0, packed: 0b1_0111_0 | 1, settings: { Bookable: 'true' } }),
        createUnitModel(4, { name: 'Thing', type: 200, settings: { OutOfOrder: 'true', AutoOutOfOrder: '0' } }),
        createUnitModel(5, { name: '{unit} X', type: 0, settings: { AutoOutOfOrder: '12', Bookable: 'false' } }),
      ],
      { latitude: 55_676_111, longitude: -12_568_333 },
    ),
    createLocationModel(3, [createUnitModel(1, { lastContactAt: now })], { deleted: true }),
    createLocationModel(12, [], { icon: 'laundry_room', enabled: false, address: '', zip: '' }),
    createLocationModel(13, [], { icon: 'lighthouse', timeZone: 'Atlantic/Reykjavik' }),
  ]),
  createBankTreeModel(1002, [createLocationModel(1, heard)], { type: 2, icon: 'building', enabled: false }),
  createBankTreeModel(1003, [createLocationModel(1, heard)], { type: 9, icon: 'campus' }),
  createBankTreeModel(1004, [createLocationModel(1, heard)], { deleted: true }),
];

serviceSuite({ now }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', (db) => replacePlaces(db, places));
  });

  const read = async (path: string, { language = 'en', as = manager.token } = {}) => {
    const headers = { 'accept-language': language };
    const { status, json, headers: told } = await service.call('GET', `/api/v1/${path}`, { token: as, headers });
    assert.equal(status, 200, path);
    return { json, items: json.items as Record<string, unknown>[], headers: told };
  };

  test('[places.07] GetBankIcons shows the banks with the sums of their units, each by its own measure', async () => {
    const { json } = await read('banks/icons');
    assert.deepEqual(json, {
      items: [
        { kid: 'sund-B1001', name: 'Bank 1001', iconKid: 'bank_building', bankType: 'Cash', online: 4, offline: 5 },
        { kid: 'sund-B1002', name: 'Bank 1002', iconKid: 'building', bankType: 'Rent', online: 5, offline: 2 },
        { kid: 'sund-B1003', name: 'Bank 1003', iconKid: 'bank_building', bankType: null, online: 5, offline: 2 },
      ],
      offset: 0,
      limit: 50,
      hasMore: false,
      nextCursor: null,
    });
  });

  test('[places.01, places.04] managers with different grants get different sums for the same bank', async () => {
    const at = (...grants: [bankId: number, locationId: number][]): ManagerOptions => ({
      grants: grants.map(([bankId, locationId]) => ({ bankId, locationId })),
    });
    const table: [ManagerOptions, sums: Record<string, [number, number]>][] = [
      [at([0, 0]), { B1001: [4, 5], B1002: [5, 2], B1003: [5, 2] }],
      [at([1001, 0]), { B1001: [4, 5] }],
      [at([1001, 1]), { B1001: [3, 4] }],
      [at([1001, 2]), { B1001: [1, 1] }],
      [at([1001, 1], [1001, 2]), { B1001: [4, 5] }],
      [at([1001, 3]), { B1001: [0, 0] }],
      [at([1001, 99], [1003, 0]), { B1001: [0, 0], B1003: [5, 2] }],
      [at([1001, 2], [1002, 1], [1003, 0]), { B1001: [1, 1], B1002: [5, 2], B1003: [5, 2] }],
      [at([1004, 0], [1005, 0]), {}],
    ];
    for (const [options, sums] of table) {
      const { items } = await read('banks/icons', { as: await issueToken(options) });
      const told = items.map(({ kid, online, offline }) => [String(kid).slice(5), [online, offline]]);
      assert.deepEqual(Object.fromEntries(told), sums, JSON.stringify(options));
    }
  });

  test('[places.10] GetLocationIcons sums over the units of each location', async () => {
    const { items } = await read('banks/sund-B1001/location-icons');
    assert.deepEqual(items, [
      { kid: 'sund-B1001-L1', iconKid: 'house~tMQ', online: 3, offline: 4 },
      { kid: 'sund-B1001-L2', iconKid: 'house~tMg', online: 1, offline: 1 },
      { kid: 'sund-B1001-L12', iconKid: 'laundry_room', online: 0, offline: 0 },
      { kid: 'sund-B1001-L13', iconKid: 'house~tMTM', online: 0, offline: 0 },
    ]);
    const rent = await read('banks/sund-B1002/location-icons');
    assert.deepEqual(rent.items, [{ kid: 'sund-B1002-L1', iconKid: 'house~tMQ', online: 5, offline: 2 }]);
    const limited = await read('banks/sund-B1001/location-icons', {
      as: await issueToken({ grants: [{ bankId: 1001, locationId: 2 }] }),
    });
    assert.deepEqual(
      limited.items.map(({ kid }) => kid),
      ['sund-B1001-L2'],
    );
  });

  test('[places.06] a location without its own icon is a house with its id, and its KID can be drawn', async () => {
    const { items } = await read('banks/sund-B1001/locations');
    assert.deepEqual(
      items.map(({ iconKid }) => iconKid),
      ['house~tMQ', 'house~tMg', 'laundry_room', 'house~tMTM'],
    );
    for (const { iconKid } of items) {
      const drawn = await service.call('GET', `/api/v1/icon/line/${String(iconKid)}.svg`);
      assert.equal(drawn.status, 200, String(iconKid));
    }
  });

  test('[places.02, places.08] GetBankLocations states where each location is and which types it holds', async () => {
    const { items } = await read('banks/sund-B1001/locations', { language: 'da' });
    const common = { timeZone: 'Europe/Copenhagen', enabled: true };
    assert.deepEqual(items.slice(1, 3), [
      {
        ...common,
        kid: 'sund-B1001-L2',
        name: 'Location 2',
        iconKid: 'house~tMg',
        address: 'Lane 2',
        zip: '1002',
        latitude: 55_676_111,
        longitude: -12_568_333,
        units: [
          { unitType: null, typeName: 'Enhed', count: 1 },
          { unitType: 1, typeName: 'Vaskemaskine', count: 1 },
          { unitType: 2, typeName: 'Tørretumbler', count: 1 },
          { unitType: 23, typeName: 'Pakkeboks', count: 1 },
          { unitType: 200, typeName: 'Enhed', count: 1 },
        ],
      },
      {
        ...common,
        kid: 'sund-B1001-L12',
        name: 'Location 12',
        iconKid: 'laundry_room',
        address: '',
        zip: '',
        latitude: null,
        longitude: null,
        enabled: false,
        units: [],
      },
    ]);
    // The deleted unit is not counted.
    assert.deepEqual(items[0]?.['units'], [{ unitType: 1, typeName: 'Vaskemaskine', count: 9 }]);
  });

  test('[addresses.21, places.08] the address of a disabled location is shown, searched and sorted only with a tenant-wide grant', async () => {
    const hidden = createLocationModel(3, [createUnitModel(1)], {
      enabled: false,
      address: 'Alder Lane 1',
      zip: '2199',
      latitude: 1,
      longitude: 2,
    });
    const others = [
      createLocationModel(1, [], { address: 'Birch Lane 1' }),
      createLocationModel(2, [], { address: '' }),
    ];
    await service.write('sund', (db) => replacePlaces(db, [createBankTreeModel(1001, [...others, hidden])]));
    const ids = async (path: string, as: string) =>
      (await read(`banks/sund-B1001/${path}`, { as })).items.map(({ kid }) => Number(String(kid).split('-L')[1]));
    const wide = manager.token;
    assert.deepEqual(await ids('locations?sort=address', wide), [2, 3, 1]);
    const grants = [[{ bankId: 1001, locationId: 0 }], [1, 2, 3].map((locationId) => ({ bankId: 1001, locationId }))];
    const narrow = await Promise.all(grants.map((each) => issueToken({ grants: each })));
    for (const as of [wide, ...narrow]) {
      const isShown = as === wide;
      const { items } = await read('banks/sund-B1001/locations', { as });
      const { address, zip, latitude, longitude } = items[2] ?? {};
      const all = [address, zip, latitude, longitude];
      assert.deepEqual(all, isShown ? ['Alder Lane 1', '2199', 1, 2] : [null, null, null, null]);
      assert.equal(items[0]?.['address'], 'Birch Lane 1');
      for (const list of ['locations', 'location-icons'])
        for (const filter of ['alder', '2199'])
          assert.deepEqual(await ids(`${list}?filter=${filter}`, as), isShown ? [3] : [], filter);
      for (const kid of ['sund-B1001-L3', 'sund-B1001-L3-U1']) {
        const { status } = await service.call('GET', `/api/v1/addresses/${kid}`, { token: as });
        assert.equal(status, isShown ? 200 : 403, kid);
      }
      const sorted = await ids('locations?sort=address&direction=desc', as);
      assert.deepEqual(sorted, isShown ? [1, 3, 2] : [1, 2, 3], 'without an address they are sorted by id');
    }
    await service.write('sund', (db) => replacePlaces(db, places));
  });

  test("[places.02, places.05, places.11] GetLocationUnits states each unit's type and name in the reader's language", async () => {
    const item = (id: number, name: string, unitType: number | null, typeName: string, iconKid: string, rest = {}) => ({
      kid: `sund-B1001-L2-U${id}`,
      name,
      unitType,
      typeName,
      iconKid,
      enabled: true,
      bookable: false,
      outOfOrder: false,
      ...rest,
    });
    const { items, headers } = await read('locations/sund-B1001-L2/units', { language: 'da-DK, en;q=0.5' });
    assert.equal(headers['content-language'], 'da');
    assert.match(headers.vary ?? '', /accept-language/i);
    assert.deepEqual(items, [
      item(1, 'Vaskemaskine 1', 1, 'Vaskemaskine', 'washer', { enabled: false }),
      item(2, 'Tørretumbler 1', 2, 'Tørretumbler', 'dryer', { bookable: true }),
      item(3, 'Packages', 23, 'Pakkeboks', 'parcel'),
      item(4, 'Thing', 200, 'Enhed', 'question', { outOfOrder: true }),
      item(5, 'Enhed X', null, 'Enhed', 'question', { outOfOrder: true }),
    ]);
    const british = await read('locations/sund-B1001-L2/units', { language: 'en-GB' });
    assert.deepEqual(
      british.items.map(({ name }) => name),
      ['Washer 1', 'Dryer 1', 'Packages', 'Thing', 'Unit X'],
    );
  });

  test('[places.03, places.13] only GetUnitIcons says whether a unit is online', async () => {
    const { items } = await read('locations/sund-B1001-L1/unit-icons');
    assert.deepEqual(
      items.map(({ kid, status }) => [kid, status]),
      [
        ['sund-B1001-L1-U1', 'Online'],
        ['sund-B1001-L1-U2', 'Online'],
        ['sund-B1001-L1-U3', 'Offline'],
        ['sund-B1001-L1-U4', 'Offline'],
        ['sund-B1001-L1-U5', 'Offline'],
        ['sund-B1001-L1-U6', 'Offline'],
        ['sund-B1001-L1-U7', 'Unknown'],
        ['sund-B1001-L1-U8', 'Online'],
        ['sund-B1001-L1-U9', 'Unknown'],
      ],
    );
    const [first] = items;
    const last = items.at(-1);
    assert.deepEqual(first, {
      kid: 'sund-B1001-L1-U1',
      iconKid: 'washer',
      status: 'Online',
      lastContactUtc: '2026-06-05T18:40:00.000Z',
    });
    assert.equal(last?.['lastContactUtc'], null);
    const units = await read('locations/sund-B1001-L1/units');
    assert.deepEqual(
      units.items.map(({ kid }) => kid),
      items.map(({ kid }) => kid),
    );
    for (const each of units.items)
      for (const name of ['status', 'online', 'lastContactUtc']) assert.ok(!(name in each));
  });

  test('[places.02] names and types are sorted and found as the reader sees them', async () => {
    const kids = async (query: string, language: string): Promise<string[]> => {
      const { items } = await read(`locations/sund-B1001-L2/units?${query}`, { language });
      return items.map(({ kid }) => String(kid).slice(-2));
    };
    assert.deepEqual(await kids('sort=name', 'en'), ['U2', 'U3', 'U4', 'U5', 'U1']);
    assert.deepEqual(await kids('sort=name', 'da'), ['U5', 'U3', 'U4', 'U2', 'U1']);
    assert.deepEqual(await kids('sort=unitType', 'da'), ['U5', 'U1', 'U2', 'U3', 'U4']);
    assert.deepEqual(await kids('sort=unitType&direction=desc&offset=1&limit=2', 'da'), ['U3', 'U2']);
    assert.deepEqual(await kids('filter=VASKE', 'da'), ['U1']);
    assert.deepEqual(await kids('filter=VASKE', 'en'), []);
    assert.deepEqual(await kids('filter=pakkeb', 'da'), ['U3']);
    assert.deepEqual(await kids('filter=washer', 'da'), []);
  });

  test('[places.11] the settings that the overviews read exist', async () => {
    const types = new Map(allDefinitions.map(({ name, valueType }) => [name, valueType]));
    assert.deepEqual(
      ['Bookable', 'OutOfOrder', 'AutoOutOfOrder'].map((name) => types.get(name)),
      ['bool', 'bool', 'int'],
    );
  });
});
