// Documents of deleted places: a manager sees them for the own RetentionDays, in the search as in every format, and never
// more than the grants cover.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc, fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  searchPath,
  summarize,
  unitAt,
  unitKidOf,
  type TestUnit,
} from './support/reports.ts';

const bankId = 1001;
const start = testNow - 5 * hourMs;
const interval = { from: formatUtc(start), through: formatUtc(testNow) };

/** The first instant of the UTC day so many days ago. */
const startOfDay = (daysAgo: number): number => testNow - ((fromMs2000(testNow) % dayMs) + dayMs * daysAgo);

/** When a place was deleted, and the RetentionDays with which it is visible; Infinity: never. */
const deletions: readonly (readonly [deletedAt: number | null, needsDays: number])[] = [
  [null, 0],
  [testNow - hourMs, 1],
  [startOfDay(1), 1],
  [startOfDay(1) - 1, 2],
  [startOfDay(30), 30],
  [startOfDay(30) - 1, 31],
  [startOfDay(3650), 3650],
  [startOfDay(3650) - 1, Infinity],
];

/** Location 1 has one unit for each deletion; each further location was deleted so, and its units too. */
const unitIds = deletions.map((_, at) => at + 1);
const locationIds = [1, ...deletions.map((_, at) => at + 2)];
const deletionOf = (at: number): (typeof deletions)[number] => deletions[at] ?? [null, 0];
const locationDeletion = (locationId: number) => (locationId === 1 ? deletionOf(0) : deletionOf(locationId - 2));
const units = locationIds.flatMap((locationId) => unitIds.map((unitId) => unitAt(bankId, locationId, unitId)));
const isVisibleWith = ({ locationId, unitId }: TestUnit, days: number): boolean =>
  locationDeletion(locationId)[1] <= days && deletionOf(unitId - 1)[1] <= days;

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  const tokens = new Map<number | null, string>();
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId, places: Object.fromEntries(locationIds.map((id) => [id, unitIds])) });
      for (const locationId of locationIds)
        await db
          .updateTable('locations')
          .set({ deleted_at: locationDeletion(locationId)[0] })
          .where('location_id', '=', locationId)
          .execute();
      for (const unitId of unitIds)
        await db
          .updateTable('units')
          .set({ deleted_at: deletionOf(unitId - 1)[0] })
          .where('unit_id', '=', unitId)
          .execute();
    });
    for (const unit of units)
      await report(service, unit, {
        cycles: cyclesAt(1, [start, start + hourMs]),
        samples: samplesOf('Power', [[start, '1']]),
        syncedThrough: testNow,
      });
    for (const retentionDays of [null, 0, 1, 2, 30, 31, 3650])
      tokens.set(retentionDays, await issueToken({ retentionDays }));
  });

  const get = (unit: TestUnit, token: string | undefined, format: (typeof formatPaths)[number] = 'table') =>
    service.call('GET', documentPath(documentKidOf(unit, 1), format), { token });
  const searchAll = async (token: string | undefined, query: Record<string, string> = {}) => {
    const items: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = searchPath(bankId, { ...interval, limit: 100, offset, ...query });
      const { status, json, text } = await service.call('GET', path, { token });
      assert.equal(status, 200, text);
      items.push(...json.items.map((item: { unitKid: string }) => item.unitKid));
      const kidsOf = (list: { kid: string }[]): string[] => list.map(({ kid }) => kid);
      if (!json.hasMore) return { items, locations: kidsOf(json.locations), units: kidsOf(json.units) };
    }
  };

  test('[documents.22, managers.02] a search has the locations and units that were deleted within the manager’s RetentionDays', async () => {
    for (const [retentionDays, token] of tokens) {
      const days = retentionDays ?? 0;
      const found = await searchAll(token);
      const visible = units.filter((unit) => isVisibleWith(unit, days)).map(unitKidOf);
      assert.deepEqual(found.items, visible, `${days} days`);
      assert.deepEqual(found.units, visible, `${days} days`);
      assert.deepEqual(
        found.locations,
        locationIds.filter((id) => locationDeletion(id)[1] <= days).map((id) => `sund-B${bankId}-L${id}`),
        `${days} days`,
      );
    }
  });

  test('[documents.15, documents.22] a search for one place finds it only if it is retained', async () => {
    for (const retentionDays of [0, 30])
      for (const unit of units.filter(({ locationId, unitId }) => locationId === 1 || unitId === 1)) {
        const locationKid = `sund-B${bankId}-L${unit.locationId}`;
        const unitKid = unitKidOf(unit);
        const expected = isVisibleWith(unit, retentionDays) ? [unitKid] : [];
        const token = tokens.get(retentionDays);
        assert.deepEqual((await searchAll(token, { unitKid })).items, expected, unitKid);
        const ofLocation = await searchAll(token, { locationKid });
        assert.equal(ofLocation.items.includes(unitKid), expected.length === 1, unitKid);
        assert.equal(ofLocation.locations.length, locationDeletion(unit.locationId)[1] <= retentionDays ? 1 : 0);
      }
  });

  for (const format of formatPaths)
    test(`[documents.06, managers.02] ${format}: a document is 404 once its unit or location was deleted before the manager’s RetentionDays`, async () => {
      const missing = comparableRefusal(await get(unitAt(bankId, 1, 99), manager.token, format));
      for (const [retentionDays, token] of tokens)
        for (const unit of units.filter(({ locationId, unitId }) => locationId === 1 || unitId <= 2)) {
          const reply = await get(unit, token, format);
          const what = `${unitKidOf(unit)} with ${retentionDays}`;
          if (isVisibleWith(unit, retentionDays ?? 0)) assert.equal(reply.status, 200, what);
          else {
            assert.equal(summarize(reply), '404 not-found', what);
            assert.deepEqual(comparableRefusal(reply), missing, what);
          }
        }
    });

  const lately = unitAt(bankId, 1, 2);

  test('[documents.06, documents.22] grants decide as before: RetentionDays show nothing of another location or bank', async () => {
    for (const grants of [[{ bankId, locationId: 2 }], [{ bankId: 1002, locationId: 0 }]]) {
      const token = await issueToken({ retentionDays: 3650, grants });
      for (const format of formatPaths) {
        const [hidden, missing] = [await get(lately, token, format), await get(unitAt(bankId, 1, 99), token, format)];
        assert.equal(summarize(hidden), '404 not-found', format);
        assert.deepEqual(comparableRefusal(hidden), comparableRefusal(missing), format);
      }
    }
    const narrow = await issueToken({ retentionDays: 3650, grants: [{ bankId, locationId: 3 }] });
    const { items, locations } = await searchAll(narrow);
    assert.deepEqual(locations, [`sund-B${bankId}-L3`]);
    assert.ok(items.length > 1 && items.every((kid) => kid.startsWith(`sund-B${bankId}-L3-`)), items.join());
  });

  test('[documents.06, managers.02] the manager’s own profile decides at once', async () => {
    const { token } = await createToken(service, { livesMs: 1000 * dayMs });
    let revision = '1';
    for (const [value, status] of [
      [0, 404],
      [3650, 200],
      [1, 200],
      [0, 404],
    ] as const) {
      const path = '/api/v1/session/me/profile/RetentionDays';
      const set = await service.call('POST', path, { token, body: { value, expectedRevision: revision } });
      assert.equal(set.status, 200, set.text);
      revision = set.json.revision;
      for (const format of formatPaths) assert.equal((await get(lately, token, format)).status, status, format);
      assert.equal((await searchAll(token)).units.includes(unitKidOf(lately)), status === 200);
    }
  });

  test('[documents.05] a graph that is cached for one manager is hidden from another, also when both ask at the same time', async () => {
    const [seeing, blind] = [tokens.get(3650), tokens.get(0)];
    const ask = async (token: string | undefined): Promise<number> => (await get(lately, token, 'graph.svg')).status;
    for (let round = 0; round < 3; round += 1) {
      const asked = Array.from({ length: 12 }, (_, at) => (at % 2 === round % 2 ? seeing : blind));
      assert.deepEqual(
        await Promise.all(asked.map(ask)),
        asked.map((token) => (token === seeing ? 200 : 404)),
      );
    }
  });

  test('elsewhere a deleted unit stays hidden, whatever the RetentionDays are', async () => {
    const token = tokens.get(3650);
    const overview = await service.call('GET', `/api/v1/units/${unitKidOf(lately)}`, { token });
    assert.equal(summarize(overview), '404 not-found');
    const listed = await service.call('GET', `/api/v1/locations/sund-B${bankId}-L1/units`, { token });
    assert.deepEqual(
      listed.json.items.map(({ kid }: { kid: string }) => kid),
      [unitKidOf(unitAt(bankId, 1, 1))],
    );
  });
});
