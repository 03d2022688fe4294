// GetBankDocuments: which documents are found, in which order, and with which fields.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
import { cyclesAt, documentKidOf, report, samplesOf, searchPath, summarize, unitAt } from './support/reports.ts';

const bankId = 1001;
const [first, second, other] = [unitAt(bankId, 1, 1), unitAt(bankId, 1, 2), unitAt(bankId, 2, 1)];
const iso = formatUtc;
const around = { from: iso(testNow - 10 * hourMs), through: iso(testNow) };

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1, 2], 2: [1] } }));
    await report(service, first, {
      cycles: cyclesAt(11, [testNow - 5 * hourMs, testNow - 4 * hourMs]),
      samples: samplesOf('Power', [[testNow - 4.5 * hourMs, '1.5']]),
      syncedThrough: testNow,
    });
    await report(service, second, { cycles: cyclesAt(11, [testNow - 3 * hourMs, testNow - 2 * hourMs]) });
    await report(service, other, { cycles: cyclesAt(12, [testNow - 9 * hourMs, testNow - hourMs], { ends: false }) });
    // Old Cycles with recent samples: samples do not count as Cycles.
    await report(service, other, {
      cycles: cyclesAt(7, [testNow - 60 * dayMs]),
      samples: samplesOf('Power', [[testNow - 8 * hourMs, '0.1']]),
    });
  });

  const search = (query: Record<string, string | number> = {}, token = manager.token, headers = {}) =>
    service.call('GET', searchPath(bankId, query), { token, headers });
  const found = async (query: Record<string, string | number> = {}): Promise<string[]> => {
    const { status, json, text } = await search(query);
    assert.equal(status, 200, text);
    return json.items.map(({ kid }: { kid: string }) => kid);
  };
  const kids = {
    first: documentKidOf(first, 11),
    second: documentKidOf(second, 11),
    other: documentKidOf(other, 12),
    old: documentKidOf(other, 7),
  };

  test('[documents.08, documents.11, documents.12, documents.14, kid.10] an answer has items, places, the interval and the page, and nothing else', async () => {
    const { status, json, headers } = await search({ ...around, unitKid: 'sund-B1001-L1-U1' });
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(json, {
      items: [
        {
          kid: 'sund-B1001-L1-U1-D11',
          locationKid: 'sund-B1001-L1',
          unitKid: 'sund-B1001-L1-U1',
          locationName: 'Location 1',
          timeZone: 'Europe/Copenhagen',
          unitName: 'Washer 1',
          unitIconKid: 'washer',
          unitType: 1,
          lastActivityUtc: iso(testNow - 4 * hourMs),
        },
      ],
      locations: [{ kid: 'sund-B1001-L1', name: 'Location 1' }],
      units: [
        { kid: 'sund-B1001-L1-U1', name: 'Washer 1', locationKid: 'sund-B1001-L1' },
        { kid: 'sund-B1001-L1-U2', name: 'Washer 2', locationKid: 'sund-B1001-L1' },
      ],
      ...around,
      offset: 0,
      limit: 25,
      hasMore: false,
      nextCursor: null,
    });
  });

  test('[documents.21] the latest activity comes first', async () => {
    assert.deepEqual(await found(), [kids.other, kids.second, kids.first]);
  });

  test('[documents.21] documents of the same instant follow location, unit and the number of the document', async () => {
    const at = testNow - 40 * dayMs;
    const units = [unitAt(bankId, 2, 1), unitAt(bankId, 1, 2), unitAt(bankId, 1, 1)];
    for (const unit of units) await report(service, unit, { cycles: cyclesAt(unit.locationId === 2 ? 9 : 100, [at]) });
    // By number, not by text.
    await report(service, first, { cycles: cyclesAt(99, [at]) });
    assert.deepEqual(await found({ from: iso(at), through: iso(at) }), [
      documentKidOf(first, 99),
      documentKidOf(first, 100),
      documentKidOf(second, 100),
      documentKidOf(other, 9),
    ]);
  });

  test('[documents.13, documents.17] both bounds are inclusive, and the activity is the latest within them', async () => {
    const [start, end] = [testNow - 5 * hourMs, testNow - 4 * hourMs];
    const activity = async (from: number, through: number): Promise<string | undefined> => {
      const { json } = await search({ from: iso(from), through: iso(through), unitKid: 'sund-B1001-L1-U1' });
      return json.items[0]?.lastActivityUtc;
    };
    assert.equal(await activity(start, start), iso(start));
    assert.equal(await activity(start, end - 1), iso(start));
    assert.equal(await activity(start, end), iso(end));
    assert.equal(await activity(end, end), iso(end));
    assert.equal(await activity(start + 1, end - 1), undefined);
    assert.equal(await activity(end + 1, end + 1), undefined);
  });

  test('[documents.20] samples do not make a document match, only its Cycles do', async () => {
    const interval = { from: iso(testNow - 8.5 * hourMs), through: iso(testNow - 7.5 * hourMs) };
    assert.deepEqual(await found(interval), []);
    const [olderFrom, olderThrough] = [iso(testNow - 60 * dayMs), iso(testNow - 59 * dayMs)];
    assert.deepEqual(await found({ from: olderFrom, through: olderThrough }), [kids.old]);
  });

  test('[documents.15] a location selects only its documents; a unit selects its location as well', async () => {
    assert.deepEqual(await found({ ...around, locationKid: 'sund-B1001-L1' }), [kids.second, kids.first]);
    assert.deepEqual(await found({ ...around, unitKid: 'sund-B1001-L2-U1' }), [kids.other]);
    const both = { locationKid: 'sund-B1001-L2', unitKid: 'sund-B1001-L2-U1' };
    assert.deepEqual(await found({ ...around, ...both }), [kids.other]);
    assert.deepEqual(await found({ ...around, ...both, locationKid: 'sund-B1001-L1' }), []);
    const { json } = await search({ ...around, unitKid: 'sund-B1001-L2-U1' });
    assert.deepEqual([json.locations.length, json.units.length], [1, 1]);
  });

  test('[documents.16, documents.23] times need a UTC offset, and KIDs must belong to the bank', async () => {
    const asked: [query: Record<string, string>, answer: string][] = [
      [{ from: '2026-06-15T10:00:00+02:00', through: '2026-06-15T08:00:00Z' }, '200 undefined'],
      [{ from: '2026-06-15T10:00+0200' }, '200 undefined'],
      [{ from: '2026-06-15T10:00:00.5Z' }, '200 undefined'],
      [{ from: '2026-06-15T10:00:00' }, '400 invalid-request'],
      [{ through: '2026-06-15T10:00:00' }, '400 invalid-request'],
      [{ from: '2026-06-15' }, '400 invalid-request'],
      [{ from: '2026-06-31T10:00:00Z' }, '400 invalid-request'],
      [{ from: '2026-06-15T24:00:00Z' }, '400 invalid-request'],
      [{ from: '2026-06-15T10:00:60Z' }, '400 invalid-request'],
      [{ from: '0000-01-01T00:00:00+23:00' }, '400 invalid-request'],
      [{ through: '9999-12-31T23:59:59-23:00' }, '400 invalid-request'],
      [{ from: 'yesterday' }, '400 invalid-request'],
      [{ from: '' }, '400 invalid-request'],
      [{ from: '2026-06-15T10:00:00Z', through: '2026-06-15T09:59:59Z' }, '400 invalid-request'],
      [{ locationKid: 'sund-B1001-L01' }, '400 invalid-kid'],
      [{ locationKid: 'sund-B1001-L1-U1' }, '400 invalid-kid'],
      [{ locationKid: 'fjord-B1001-L1' }, '400 invalid-kid'],
      [{ locationKid: 'sund-B1002-L1' }, '400 invalid-kid'],
      [{ unitKid: 'sund-B1002-L1-U1' }, '400 invalid-kid'],
      [{ unitKid: 'sund-B1001-L1' }, '400 invalid-kid'],
      [{ state: 'open' }, '400 invalid-request'],
    ];
    for (const [query, answer] of asked) assert.equal(summarize(await search(query)), answer, JSON.stringify(query));
  });

  test('[documents.11, documents.18] without times the last 24 hours are searched; 31 days are the most', async () => {
    const bounds = async (query: Record<string, string>): Promise<unknown> => {
      const { status, json } = await search(query);
      return status === 200 ? [json.from, json.through] : status;
    };
    assert.deepEqual(await bounds({}), [iso(testNow - dayMs), iso(testNow)]);
    const through = testNow - 3 * dayMs;
    assert.deepEqual(await bounds({ through: iso(through) }), [iso(through - dayMs), iso(through)]);
    const from = through - 31 * dayMs;
    assert.deepEqual(await bounds({ from: iso(from), through: iso(through) }), [iso(from), iso(through)]);
    assert.equal(await bounds({ from: iso(from - 1), through: iso(through) }), 400);
    assert.deepEqual(await bounds({ from: iso(testNow - 31 * dayMs) }), [iso(testNow - 31 * dayMs), iso(testNow)]);
    assert.equal(await bounds({ from: iso(testNow - 31 * dayMs - 1) }), 400);
  });

  test('[documents.19] a page has 1 to 100 items, and begins at 0 to 100000', async () => {
    for (const [query, status] of [
      [{ limit: 1 }, 200],
      [{ limit: 100 }, 200],
      [{ limit: 0 }, 400],
      [{ limit: 101 }, 400],
      [{ offset: 100_000 }, 200],
      [{ offset: 100_001 }, 400],
      [{ offset: -1 }, 400],
    ] as const)
      assert.equal((await search(query)).status, status, JSON.stringify(query));
    const page = async (offset: number): Promise<unknown[]> => {
      const { json } = await search({ ...around, offset, limit: 1 });
      return [json.items.map(({ kid }: { kid: string }) => kid), json.offset, json.limit, json.hasMore];
    };
    assert.deepEqual(await page(0), [[kids.other], 0, 1, true]);
    assert.deepEqual(await page(2), [[kids.first], 2, 1, false]);
    assert.deepEqual(await page(3), [[], 3, 1, false]);
  });

  test('names of units are in the language of the reader', async () => {
    const { json, headers } = await search({ ...around }, manager.token, { 'accept-language': 'da' });
    assert.equal(headers['content-language'], 'da');
    assert.deepEqual([json.items[0].unitName, json.units[0].name], ['Vaskemaskine 1', 'Vaskemaskine 1']);
  });

  test('[documents.22] documents outside the grants or of deleted places are neither found nor listed', async () => {
    const narrow = await issueToken({ grants: [{ bankId, locationId: 2 }] });
    const listed = async (token: string, query = {}): Promise<string[][]> => {
      const { status, json } = await search({ ...around, ...query }, token);
      assert.equal(status, 200);
      return [json.items, json.locations, json.units].map((list) => list.map(({ kid }: { kid: string }) => kid));
    };
    assert.deepEqual(await listed(narrow), [[kids.other], ['sund-B1001-L2'], ['sund-B1001-L2-U1']]);
    assert.deepEqual(await listed(narrow, { locationKid: 'sund-B1001-L1' }), [[], [], []]);
    assert.deepEqual(await listed(narrow, { unitKid: 'sund-B1001-L1-U1' }), [[], [], []]);
    const setUnitDeleted = (deletedAt: number | null): Promise<unknown> =>
      service.write('sund', (db) =>
        db
          .updateTable('units')
          .set({ deleted_at: deletedAt })
          .where('bank_id', '=', bankId)
          .where('location_id', '=', 1)
          .where('unit_id', '=', 2)
          .execute(),
      );
    const setLocationDeleted = (deletedAt: number | null): Promise<unknown> =>
      service.write('sund', (db) =>
        db
          .updateTable('locations')
          .set({ deleted_at: deletedAt })
          .where('bank_id', '=', bankId)
          .where('location_id', '=', 1)
          .execute(),
      );
    await setUnitDeleted(testNow - minuteMs);
    assert.deepEqual(await listed(manager.token), [
      [kids.other, kids.first],
      ['sund-B1001-L1', 'sund-B1001-L2'],
      ['sund-B1001-L1-U1', 'sund-B1001-L2-U1'],
    ]);
    await setUnitDeleted(null);
    await setLocationDeleted(testNow - minuteMs);
    assert.deepEqual(await listed(manager.token), [[kids.other], ['sund-B1001-L2'], ['sund-B1001-L2-U1']]);
    await setLocationDeleted(null);
    assert.equal((await listed(manager.token))[0]?.length, 3);
  });
});
