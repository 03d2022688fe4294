// Each demo manager sees exactly what its grant covers, through every operation on places, units and bookings: a table
// of who can read what, and sums that agree between operations.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { demoPassword } from '../../src/features/passwords/rules/password.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const managers = ['owner', 'reader', 'bank', 'location', 'clerk', 'notabs'] as const;
type Manager = (typeof managers)[number];

/** A path -> what owner, reader, bank, location, clerk and notabs get. */
const reads: Readonly<Record<string, string>> = {
  'banks/icons': '200 200 200 200 200 403',
  'banks/sund-B1001/locations': '200 200 200 200 200 403',
  'banks/sund-B1002/locations': '200 200 404 404 200 403',
  'banks/sund-B1003/locations': '200 200 404 404 200 403',
  'banks/sund-B9/locations': '404 404 404 404 404 403',
  'banks/sund-B1001/location-icons': '200 200 200 200 200 403',
  'banks/sund-B1002/location-icons': '200 200 404 404 200 403',
  'locations/sund-B1001-L1/units': '200 200 200 200 403 403',
  'locations/sund-B1001-L2/units': '200 200 200 404 403 403',
  'locations/sund-B1002-L1/units': '200 200 404 404 403 403',
  'locations/sund-B1003-L2/units': '404 404 404 404 403 403',
  'locations/sund-B1001-L1/unit-icons': '200 200 200 200 403 403',
  'locations/sund-B1001-L2/unit-icons': '200 200 200 404 403 403',
  'locations/sund-B1001-L1/opening-hours': '200 200 200 200 403 403',
  'locations/sund-B1001-L2/opening-hours': '200 200 200 404 403 403',
  'locations/sund-B1001-L1/booking-rules': '200 200 200 200 403 403',
  'locations/sund-B1001-L2/booking-rules': '200 200 200 404 403 403',
  'units/sund-B1001-L1-U1': '200 200 200 200 403 403',
  'units/sund-B1001-L2-U1': '200 200 200 404 403 403',
  'units/sund-B1001-L2-U3': '404 404 404 404 403 403',
  'units/sund-B1002-L1-U1': '200 200 404 404 403 403',
  'units/sund-B1001-L1-U1/groups/General': '200 200 200 200 403 403',
  'units/sund-B1001-L2-U1/groups/General': '200 200 200 404 403 403',
  'units/sund-B1001-L1-U1/settings/OutOfOrder/history': '200 200 200 200 403 403',
  'units/sund-B1001-L2-U1/settings/OutOfOrder/history': '200 200 200 404 403 403',
  'banks/sund-B1001/bookings': '200 200 200 200 403 403',
  'banks/sund-B1002/bookings': '200 200 404 404 403 403',
  'tenant/status': '200 200 200 200 403 403',
  'tenant/status/page': '200 200 200 200 403 403',
};

/** A unit -> who may write its settings. */
const writes: Readonly<Record<string, string>> = {
  'sund-B1001-L1-U1': '200 403 200 200 403 403',
  'sund-B1001-L2-U1': '200 403 200 404 403 403',
  'sund-B1002-L1-U1': '200 403 404 404 403 403',
};

type Sums = { readonly kid: string; readonly online: number; readonly offline: number };

serviceSuite({ demo: true, now: testNow, manager: false }, ({ service }) => {
  const tokens = new Map<Manager, string>();
  before(async () => {
    await seedDemoTenant(service.dependencies.databases.forTenant('sund'), 'sund', { postings: 1000 });
    for (const userName of managers) {
      const body = { userName, password: demoPassword };
      const { json } = await service.call('POST', '/api/v1/session/login', { body });
      tokens.set(userName, json.accessToken);
    }
  });

  const as = (manager: Manager, path: string) => service.call('GET', `/api/v1/${path}`, { token: tokens.get(manager) });

  /** All items of a list, page by page. */
  async function all<T>(manager: Manager, path: string): Promise<T[]> {
    const items: T[] = [];
    for (;;) {
      const separator = path.includes('?') ? '&' : '?';
      const { status, json } = await as(manager, `${path}${separator}limit=200&offset=${items.length}`);
      assert.equal(status, 200, path);
      items.push(...json.items);
      if (!json.hasMore) return items;
    }
  }

  test('a manager who is not active cannot log in', async () => {
    const body = { userName: 'inactive', password: demoPassword };
    assert.equal((await service.call('POST', '/api/v1/session/login', { body })).status, 401);
  });

  test('[places.01] each manager can read exactly what its Tabs, permissions and grants allow', async () => {
    for (const [path, expected] of Object.entries(reads)) {
      const statuses = await Promise.all(managers.map(async (manager) => (await as(manager, path)).status));
      assert.equal(statuses.join(' '), expected, path);
    }
  });

  test('[status.03] the tenant status shows each manager the offline and out-of-order units of its places', async () => {
    const alertsOf = async (manager: Manager): Promise<string[]> => {
      const { json } = await as(manager, 'tenant/status');
      return json.items.map(({ kind, kid }: { kind: string; kid: string }) => `${kind}:${kid}`);
    };
    const ofTenant = await alertsOf('owner');
    const underTest = 'Offline:sund-B1002-L1-U3';
    for (const bank of ['sund-B1001-', 'sund-B1002-'])
      for (const kind of ['Offline', 'AutoOutOfOrder'])
        assert.ok(
          ofTenant.some((alert) => alert.startsWith(`${kind}:${bank}`)),
          `${kind} ${bank}`,
        );
    assert.ok(!ofTenant.includes(underTest));
    assert.deepEqual(await alertsOf('reader'), ofTenant);
    const ofBank = ofTenant.filter((alert) => alert.includes('sund-B1001-'));
    assert.deepEqual(await alertsOf('bank'), ofBank);
    assert.deepEqual(
      await alertsOf('location'),
      ofBank.filter((alert) => alert.includes('-L1-')),
    );
  });

  test('[settings.03] managers with Unit Write can write settings within their grants', async () => {
    for (const [unit, expected] of Object.entries(writes)) {
      const statuses: number[] = [];
      for (const manager of managers) {
        const { json } = await as('owner', `units/${unit}/groups/General`);
        const row = json.values.find(({ name }: { name: string }) => name === 'OutOfOrder');
        const body = { value: !row.value, expectedRevision: row.revision };
        const path = `/api/v1/units/${unit}/settings/OutOfOrder`;
        const reply = await service.call('PUT', path, { token: tokens.get(manager), body });
        statuses.push(reply.status);
        const stored = (await as('owner', `units/${unit}/groups/General`)).json.values;
        const then = stored.find(({ name }: { name: string }) => name === 'OutOfOrder');
        assert.equal(then.value, reply.status === 200 ? !row.value : row.value, `${manager} ${unit}`);
      }
      assert.equal(statuses.join(' '), expected, unit);
    }
  });

  test("[places.01, places.04] each manager's lists and sums cover its own places, in every operation", async () => {
    const locationsOf = { owner: 5, reader: 5, bank: 5, location: 1 } as const;
    for (const [manager, count] of Object.entries(locationsOf) as [Manager, number][]) {
      const banks = await all<Sums>(manager, 'banks/icons');
      assert.equal(banks.length, manager === 'owner' || manager === 'reader' ? 3 : 1);
      for (const bank of banks) {
        const icons = await all<Sums>(manager, `banks/${bank.kid}/location-icons`);
        const locations = await all<{ kid: string; units: { count: number }[] }>(
          manager,
          `banks/${bank.kid}/locations`,
        );
        assert.deepEqual(
          icons.map(({ kid }) => kid),
          locations.map(({ kid }) => kid),
        );
        if (bank.kid === 'sund-B1001') assert.equal(icons.length, count);
        const sums = { online: 0, offline: 0 };
        for (const { kid, online, offline } of icons) {
          const units = await all<{ kid: string; status: string }>(manager, `locations/${kid}/unit-icons`);
          const listed = await all<{ kid: string }>(manager, `locations/${kid}/units`);
          assert.deepEqual(
            units.map((unit) => unit.kid),
            listed.map((unit) => unit.kid),
          );
          const counted = locations.find((each) => each.kid === kid)?.units ?? [];
          assert.equal(
            counted.reduce((sum, each) => sum + each.count, 0),
            units.length,
          );
          assert.equal(online, units.filter(({ status }) => status === 'Online').length, kid);
          assert.equal(offline, units.filter(({ status }) => status === 'Offline').length, kid);
          sums.online += online;
          sums.offline += offline;
        }
        assert.deepEqual({ online: bank.online, offline: bank.offline }, sums, `${manager} ${bank.kid}`);
      }
    }
  });

  test('[bookings.05] a location-limited manager sees the bookings of its location and no others', async () => {
    const path = 'banks/sund-B1001/bookings?from=2026-05-01&through=2026-07-31';
    type Booking = { readonly eventKid: string; readonly locationKid: string };
    const [whole, limited] = [await all<Booking>('owner', path), await all<Booking>('location', path)];
    assert.ok(limited.length > 0 && limited.length < whole.length);
    assert.deepEqual(
      limited.map(({ eventKid }) => eventKid),
      whole.filter(({ locationKid }) => locationKid === 'sund-B1001-L1').map(({ eventKid }) => eventKid),
    );
  });
});
