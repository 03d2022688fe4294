// GetTenantStatus: which units have an alert, by a table of units that each stand at an edge of a rule.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
import {
  alertsOf,
  deletePlaces,
  insertBankOfUnits,
  insertStatusUnit,
  quietComputerSources,
  readTenantStatus,
  settingRow,
  statusPath,
  type SettingDraft,
  type StatusUnitDraft,
} from './support/status-units.ts';

const cash = { bank_type: 1 };
const rent = { bank_type: 2 };
const ago = (ms: number) => ({ last_contact_at: testNow - ms });
const silent = ago(2 * dayMs);
const error: readonly SettingDraft[] = [['AutoOutOfOrder', '31']];

type Kind = 'Offline' | 'AutoOutOfOrder';
type Case = readonly [what: string, draft: StatusUnitDraft, ...kinds: Kind[]];

const offlineCases: readonly Case[] = [
  ['cash, one hour', { bank: cash, unit: ago(hourMs) }, 'Offline'],
  ['cash, a millisecond less than an hour', { bank: cash, unit: ago(hourMs - 1) }],
  ['cash, two hours', { bank: cash, unit: ago(2 * hourMs) }, 'Offline'],
  ['cash, 100 days', { bank: cash, unit: ago(100 * dayMs) }, 'Offline'],
  ['cash, a millisecond more than 100 days', { bank: cash, unit: ago(100 * dayMs + 1) }],
  ['cash, never', { bank: cash, unit: { last_contact_at: null } }],
  ['cash, in the future', { bank: cash, unit: ago(-hourMs) }],
];
const otherOfflineCases: readonly Case[] = [2, 3, 9].flatMap((bank_type): Case[] => [
  [`type ${bank_type}, one day`, { bank: { bank_type }, unit: ago(dayMs) }, 'Offline'],
  [`type ${bank_type}, a millisecond less than a day`, { bank: { bank_type }, unit: ago(dayMs - 1) }],
  [`type ${bank_type}, two hours`, { bank: { bank_type }, unit: ago(2 * hourMs) }],
  [`type ${bank_type}, 100 days`, { bank: { bank_type }, unit: ago(100 * dayMs) }, 'Offline'],
  [`type ${bank_type}, a millisecond more than 100 days`, { bank: { bank_type }, unit: ago(100 * dayMs + 1) }],
]);
const excludedCases: readonly Case[] = [
  ['empty bank type', { bank: { bank_type: 0 }, unit: silent }],
  ['test cluster', { unit: { ...silent, cluster: 'test' } }],
  ['test cluster, with an error', { unit: { ...silent, cluster: 'test' }, settings: error }, 'AutoOutOfOrder'],
  ['another cluster', { unit: { ...silent, cluster: 'north' } }, 'Offline'],
  ['101 days', { unit: ago(101 * dayMs) }],
];

const errorValues: readonly (readonly [value: string | null, isError: boolean])[] = [
  ['1', true],
  ['31', true],
  ['65535', true],
  ['9', true],
  ['10', true],
  ['999999999999999', true],
  ['9999999999999999', false],
  ['0', false],
  ['-1', false],
  ['-31', false],
  ['1.5', false],
  ['31.0', false],
  ['0.5', false],
  ['1e3', false],
  ['01', false],
  [' 31', false],
  ['31 ', false],
  ['31\n', false],
  ['+31', false],
  ['0x1f', false],
  ['1a', false],
  ['١', false],
  ['error', false],
  ['true', false],
  ['', false],
  [null, false],
];
const errorCases: readonly Case[] = errorValues.map(([value, isError]): Case => {
  const draft = { settings: [['AutoOutOfOrder', value] as const] };
  return isError ? [`error ${value}`, draft, 'AutoOutOfOrder'] : [`error ${value}`, draft];
});
const otherSettingCases: readonly Case[] = [
  ['SMS number', { settings: [['OutOfOrderSmsNumber', '4512345678']] }],
  ['SMS limit', { settings: [['OutOfOrderSmsLimit', '3']] }],
  ['set by a person', { settings: [['OutOfOrder', 'true']] }],
  ['text', { settings: [['OutOfOrderText', '31']] }],
  ['another setting', { settings: [['ReportInterval', '60']] }],
  [
    'all of them',
    { settings: [['OutOfOrderSmsLimit', '3'], ['OutOfOrderSmsNumber', '45'], ...error] },
    'AutoOutOfOrder',
  ],
  ['empty bank type', { bank: { bank_type: 0 }, settings: error }, 'AutoOutOfOrder'],
];

const both: readonly Kind[] = ['Offline', 'AutoOutOfOrder'];
const withBoth = (unit: NonNullable<StatusUnitDraft['unit']>): StatusUnitDraft => ({
  unit: { ...silent, ...unit },
  settings: error,
});
const typeCases: readonly Case[] = [
  ['newer type', withBoth({ unit_type: 3 }), ...both],
  ['newer type before the packed one', withBoth({ unit_type: 3, packed_type: 2 << 1 }), ...both],
  ['packed type', withBoth({ unit_type: 0, packed_type: (7 << 9) | (2 << 1) | 1 }), ...both],
  ['packed type of all its bits', withBoth({ unit_type: 0, packed_type: 255 << 1 }), ...both],
  ['unknown type', withBoth({ unit_type: 200 }), ...both],
  ['no type', withBoth({ unit_type: 0 }), 'Offline'],
  ['packed type without bits 1 to 8', withBoth({ unit_type: 0, packed_type: (7 << 9) | 1 }), 'Offline'],
  ['negative type', withBoth({ unit_type: -1 }), 'Offline'],
  ['negative type, and a packed one', withBoth({ unit_type: -1, packed_type: 2 << 1 }), 'Offline'],
  ['type of more than 8 bits', withBoth({ unit_type: 256 }), 'Offline'],
];

type Deleted = { readonly deleted_at: number | null };
const visibilityCases: readonly Case[] = [
  ...[0, 2, -1].map((enabled): Case => [`enabled ${enabled}`, { ...withBoth({}), location: { enabled } }]),
  ['enabled 1', { ...withBoth({}), location: { enabled: 1 } }, ...both],
  ['bank and unit not enabled', { ...withBoth({ enabled: 0 }), bank: { enabled: 0 } }, ...both],
  ...(['bank', 'location', 'unit'] as const).flatMap((object) =>
    [
      [0, true],
      [null, true],
      [testNow - dayMs, false],
      [testNow + dayMs, false],
      [-1, false],
      [1, false],
    ].map(([deletedAt, isShown]): Case => {
      const change: Deleted = { deleted_at: deletedAt as number | null };
      const base = withBoth(object === 'unit' ? change : {});
      const draft = object === 'unit' ? base : { ...base, [object]: change };
      const what = `${object} deleted ${String(deletedAt)}`;
      return isShown === true ? [what, draft, ...both] : [what, draft];
    }),
  ),
];

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', deletePlaces);
  });

  /** Each case in a bank of its own; compares what is shown of all of them. */
  async function check(cases: readonly Case[]): Promise<void> {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      for (const [at, [, draft]] of cases.entries()) await insertStatusUnit(db, 1001 + at, draft);
    });
    const { items, sources } = await readTenantStatus(service, manager);
    const shown = cases.map(([what], at) => {
      const ofBank = items.filter(({ kid }) => kid === `sund-B${1001 + at}-L1-U1`);
      return [what, ofBank.map(({ kind }) => kind).toSorted()];
    });
    assert.deepEqual(
      shown,
      cases.map(([what, , ...kinds]) => [what, kinds.toSorted()]),
    );
    const total = cases.flatMap(([, , ...kinds]) => kinds);
    assert.equal(items.length, total.length);
    for (const { kind, count, hasMore, errorCode } of sources) {
      assert.equal(count, total.filter((each) => each === kind).length, kind);
      assert.deepEqual([hasMore, errorCode], [false, null]);
    }
  }

  test('[status.09] a unit of a cash bank is offline from one hour to 100 days after its last contact, both included', () =>
    check(offlineCases));

  test('[status.10] a unit of a bank of any other type is offline from one day to 100 days after, both included', () =>
    check(otherOfflineCases));

  test('[status.11] an empty bank type, a contact before 100 days, and the test cluster give no offline unit', () =>
    check(excludedCases));

  test('[status.12] only a positive integer is the error of a unit out of order', () => check(errorCases));

  test('[status.13] neither the two settings about SMS nor any other but AutoOutOfOrder puts a unit out of order', () =>
    check(otherSettingCases));

  test('[status.14, status.15] a unit out of order needs a type: the newer field, or bits 1 to 8 of the packed one where that is missing', async () => {
    await check(typeCases);
    const { items } = await readTenantStatus(service, manager);
    const typeOf = (at: number) =>
      new Set(items.filter(({ bankKid }) => bankKid === `sund-B${1001 + at}`).map(({ unitType }) => unitType));
    assert.deepEqual(
      typeCases.map((_case, at) => [...typeOf(at)]),
      [[3], [3], [2], [255], [200], [null], [null], [null], [null], [null]],
    );
  });

  test('[status.16, status.17] units are shown where Enabled of the location is 1, and Deleted is missing or 0 everywhere', () =>
    check(visibilityCases));

  test('[status.04, status.05, status.06, status.07, status.19] both alerts of a unit have all their fields', async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      await insertStatusUnit(db, 1001, {
        bank: { ...rent, name: 'Housing association Alder', icon: 'building' },
        location: { name: 'Alder house', icon: 'laundry_room' },
        unit: { name: '{washer} 3', last_contact_at: testNow - 3 * dayMs, computer_name: 'gateway-7' },
        settings: [['AutoOutOfOrder', '47', testNow - 5 * minuteMs]],
      });
    });
    const { status, headers, json } = await service.call('GET', statusPath, manager);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    const unit = {
      kid: 'sund-B1001-L1-U1',
      bankKid: 'sund-B1001',
      locationKid: 'sund-B1001-L1',
      bankName: 'Housing association Alder',
      locationName: 'Alder house',
      unitName: 'Washer 3',
      computerName: 'gateway-7',
      bankType: 'Rent',
      unitType: 1,
      iconKid: 'washer',
      bankIconKid: 'building',
      locationIconKid: 'laundry_room',
    };
    assert.deepEqual(json, {
      measuredAtUtc: '2026-06-15T09:30:00.000Z',
      refreshAfterSeconds: 30,
      sources: [
        { kind: 'Offline', count: 1, hasMore: false, errorCode: null },
        { kind: 'AutoOutOfOrder', count: 1, hasMore: false, errorCode: null },
        ...quietComputerSources,
      ],
      items: [
        { ...unit, kind: 'AutoOutOfOrder', errorId: 47, errorText: null, timestampUtc: '2026-06-15T09:25:00.000Z' },
        { ...unit, kind: 'Offline', errorId: null, errorText: null, timestampUtc: '2026-06-12T09:30:00.000Z' },
      ],
    });
  });

  test('[status.35] an error is told in the words of the unit, while the unit still reports that error', async () => {
    const cases: [errorId: string | null, errorText: string | null, told: string | null][] = [
      ['205', 'Sensor does not answer', 'Sensor does not answer'],
      ['205', null, null],
      ['205', '', null],
      ['0', 'Sensor does not answer', null],
      ['12', 'Door does not lock', null],
      [null, 'Sensor does not answer', null],
    ];
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      for (const [at, [errorId, errorText]] of cases.entries()) {
        await insertStatusUnit(db, 1001 + at, { settings: [['AutoOutOfOrder', '205', testNow - minuteMs]] });
        const state = { bank_id: 1001 + at, location_id: 1, unit_id: 1, reported_at: testNow };
        await db
          .insertInto('unit_states')
          .values([
            ...(errorId === null ? [] : [{ ...state, name: 'ErrorId', value: errorId }]),
            { ...state, name: 'ErrorText', value: errorText },
          ])
          .execute();
      }
    });
    const { items } = await readTenantStatus(service, manager);
    for (const [at, [, , told]] of cases.entries()) {
      const item = items.find(({ bankKid }) => bankKid === `sund-B${1001 + at}`);
      assert.deepEqual([item?.errorId, item?.errorText], [205, told], String(cases[at]));
    }
    await service.write('sund', (db) => db.deleteFrom('unit_states').execute());
  });

  test('[status.08] icons that are missing or unknown are those of any bank and any house', async () => {
    const icons: [bank: string | null, location: string | null, bankKid: string, locationKid: string][] = [
      [null, null, 'bank_building', 'house~tMQ'],
      ['no_such_icon', 'no_such_icon', 'bank_building', 'house~tMQ'],
      ['', '', 'bank_building', 'house~tMQ'],
      ['building', 'laundry_room', 'building', 'laundry_room'],
      ['calendar', 'calendar', 'calendar~tMTU', 'calendar~tMTU'],
    ];
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      for (const [at, [bank, location]] of icons.entries())
        await insertStatusUnit(db, 1001 + at, { bank: { icon: bank }, location: { icon: location }, unit: silent });
    });
    const { items } = await readTenantStatus(service, manager);
    assert.deepEqual(
      items.map(({ bankIconKid, locationIconKid }) => [bankIconKid, locationIconKid]),
      icons.map(([, , ...kids]) => kids),
    );
    // Every one of them is drawn by the image route as it is.
    for (const kid of new Set(
      items.flatMap(({ iconKid, bankIconKid, locationIconKid }) => [iconKid, bankIconKid, locationIconKid]),
    ))
      assert.equal((await service.call('GET', `/api/v1/icon/line/${encodeURIComponent(kid)}.svg`)).status, 200, kid);
  });

  test('[status.18] items are sorted by time, newest first, then by kind, then by KID as a text', async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      const alike = Array.from({ length: 12 }, () => silent);
      await insertBankOfUnits(db, 1001, { 2: alike, 10: [silent, ago(2 * dayMs - 1), ago(3 * dayMs)] });
      await insertBankOfUnits(db, 101, { 1: [silent] });
      const ofUnit = (unitId: number, changedAt: number) =>
        settingRow({ bankId: 1001, locationId: 2, unitId }, ['AutoOutOfOrder', '5', changedAt]);
      for (const row of [ofUnit(2, testNow - 2 * dayMs), ofUnit(10, testNow - 2 * dayMs), ofUnit(1, testNow)])
        await db.insertInto('unit_settings').values(row).execute();
    });
    const inOrder = [
      'AutoOutOfOrder:sund-B1001-L2-U1',
      'Offline:sund-B1001-L10-U2',
      'AutoOutOfOrder:sund-B1001-L2-U10',
      'AutoOutOfOrder:sund-B1001-L2-U2',
      'Offline:sund-B1001-L10-U1',
      ...[1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `Offline:sund-B1001-L2-U${id}`),
      'Offline:sund-B101-L1-U1',
      'Offline:sund-B1001-L10-U3',
    ];
    assert.deepEqual(alertsOf(await readTenantStatus(service, manager)), inOrder);
    // The rows that a limit leaves out are the last ones of the same order.
    for (const limit of [1, 2, 3, 4, 5, 9, 14]) {
      const { items, sources } = await readTenantStatus(service, manager, `limit=${limit}`);
      const expected = inOrder.filter((alert) => {
        const ofKind = inOrder.filter((each) => each.split(':')[0] === alert.split(':')[0]);
        return ofKind.indexOf(alert) < limit;
      });
      assert.deepEqual(alertsOf({ items }), expected, String(limit));
      assert.deepEqual(
        sources.slice(0, 2).map(({ count, hasMore }) => [count, hasMore]),
        [
          [Math.min(limit, 16), limit < 16],
          [Math.min(limit, 3), limit < 3],
        ],
      );
    }
  });

  test('[status.01] the limit counts for each source, from 1 to 1000, 200 by default', async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      const units = Array.from({ length: 1001 }, () => silent);
      await insertBankOfUnits(db, 1001, { 1: units });
      for (let unitId = 1; unitId <= 201; unitId += 1)
        await db
          .insertInto('unit_settings')
          .values(settingRow({ bankId: 1001, locationId: 1, unitId }, ['AutoOutOfOrder', '5']))
          .execute();
    });
    const table: [query: string, offline: [number, boolean], outOfOrder: [number, boolean]][] = [
      ['', [200, true], [200, true]],
      ['limit=1', [1, true], [1, true]],
      ['limit=201', [201, true], [201, false]],
      ['limit=1000', [1000, true], [201, false]],
    ];
    for (const [query, ...expected] of table) {
      const { items, sources } = await readTenantStatus(service, manager, query);
      assert.deepEqual(
        sources.slice(0, 2).map(({ count, hasMore }) => [count, hasMore]),
        expected,
        query,
      );
      assert.equal(items.length, expected[0][0] + expected[1][0], query);
    }
    for (const limit of ['0', '1001', '-1', '1.5', 'all', '', '1e2', '99999999999']) {
      const { status, json } = await service.call('GET', `${statusPath}?limit=${limit}`, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-limit'], limit);
    }
    for (const query of ['limit=1&limit=2', 'pageSize=5', 'cursor=x', 'offset=1', 'anchor=x']) {
      const { status } = await service.call('GET', `${statusPath}?${query}`, manager);
      assert.equal(status, 400, query);
    }
  });

  test('[status.03] only units that the grants cover are shown and counted', async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      for (const bankId of [1001, 1002, 1003]) {
        await insertBankOfUnits(db, bankId, { 1: [silent, silent], 2: [silent] });
        for (const locationId of [1, 2])
          await db
            .insertInto('unit_settings')
            .values(settingRow({ bankId, locationId, unitId: 1 }, ['AutoOutOfOrder', '5']))
            .execute();
      }
    });
    const everywhere = Array.from({ length: 60 }, (_, at) => ({ bankId: 5001 + at, locationId: at + 1 }));
    const table: [grants: { bankId: number; locationId: number }[], kids: string[]][] = [
      [[{ bankId: 1002, locationId: 0 }], ['B1002-L1-U1', 'B1002-L1-U2', 'B1002-L2-U1']],
      [[{ bankId: 1002, locationId: 2 }], ['B1002-L2-U1']],
      [
        [
          { bankId: 1001, locationId: 1 },
          { bankId: 1003, locationId: 2 },
          { bankId: 1003, locationId: 9 },
        ],
        ['B1001-L1-U1', 'B1001-L1-U2', 'B1003-L2-U1'],
      ],
      [
        [
          { bankId: 1001, locationId: 0 },
          { bankId: 1001, locationId: 1 },
          { bankId: 1002, locationId: 2 },
          ...everywhere,
        ],
        ['B1001-L1-U1', 'B1001-L1-U2', 'B1001-L2-U1', 'B1002-L2-U1'],
      ],
      [[{ bankId: 9999, locationId: 0 }], []],
    ];
    for (const [grants, kids] of table) {
      const token = await issueToken({ grants });
      const { items, sources } = await readTenantStatus(service, { token });
      const ofKind = (kind: string) =>
        items.filter((each) => each.kind === kind).map(({ kid }) => kid.slice('sund-'.length));
      assert.deepEqual(ofKind('Offline'), kids);
      assert.deepEqual(
        ofKind('AutoOutOfOrder'),
        kids.filter((kid) => kid.endsWith('U1')),
      );
      assert.deepEqual(
        sources.slice(0, 2).map(({ count }) => count),
        [kids.length, kids.filter((kid) => kid.endsWith('U1')).length],
      );
      const { json } = await service.call('GET', `${statusPath}/page`, { token });
      assert.deepEqual(json.status.items, items);
      assert.deepEqual(json.status.sources, sources);
      assert.equal(json.totalCount, items.length);
    }
  });

  test('[status.34] names of units are in the language that the client prefers', async () => {
    await service.write('sund', async (db) => {
      await deletePlaces(db);
      await insertTestBank(db, { places: { 1: [1] } });
      await db.updateTable('units').set(silent).execute();
    });
    const names: Record<string, string> = {
      en: 'Washer 1',
      da: 'Vaskemaskine 1',
      de: 'Waschmaschine 1',
      xx: 'Washer 1',
    };
    for (const [language, name] of Object.entries(names))
      for (const path of [statusPath, `${statusPath}/page`]) {
        const { json, headers } = await service.call('GET', path, {
          ...manager,
          headers: { 'accept-language': language },
        });
        const [item] = (json.status ?? json).items;
        assert.equal(item.unitName, name);
        assert.equal(headers['content-language'], language === 'xx' ? 'en' : language);
      }
  });
});
