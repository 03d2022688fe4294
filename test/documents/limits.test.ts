// How large a document and a search may be: the bound itself is served, the first value past it is refused as a whole.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { insertTestBank } from '../support/factories.ts';
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
  type FormatPath,
  type TestUnit,
} from './support/reports.ts';

const start = testNow - 40 * dayMs;
const bankId = 1001;

serviceSuite({ now: testNow }, ({ service, manager, nextBankId }) => {
  before(() =>
    service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1, 2, 3, 4, 5, 6, 7, 8, 9] } })),
  );

  const get = (unit: TestUnit, format: FormatPath = 'table', query = 'settings=&states=Power') =>
    service.call('GET', documentPath(documentKidOf(unit, 1), format, query), manager);
  const answer = async (unit: TestUnit, format?: FormatPath, query?: string): Promise<string> => {
    const reply = await get(unit, format, query);
    return reply.status === 200 ? '200' : summarize(reply);
  };
  const tooLarge = '422 document-too-large';

  /** Inserts rows of one series directly: a report would take minutes. */
  async function insertSamples(unit: TestUnit, count: number, valueAt: (index: number) => string): Promise<number> {
    await report(service, unit, { samples: samplesOf('Power', [[start, '0']]) });
    return service.write('sund', async (db) => {
      const { series_id } = await db
        .selectFrom('state_series')
        .select('series_id')
        .where('bank_id', '=', unit.bankId)
        .where('unit_id', '=', unit.unitId)
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: count - 1 }, (_, index): Tables['state_samples'] => ({
        series_id,
        at: start + (index + 1) * 1000,
        value: valueAt(index + 1),
      }));
      await insertRows(db, 'state_samples', rows);
      return series_id;
    });
  }

  test('[documents.55] a document lasts 31 days, not a millisecond longer', async () => {
    const [unit, longer] = [unitAt(bankId, 1, 1), unitAt(bankId, 1, 2)];
    for (const [each, end] of [
      [unit, start + 31 * dayMs],
      [longer, start + 31 * dayMs + 1],
    ] as const)
      await report(service, each, { cycles: cyclesAt(1, [start, end]), samples: samplesOf('Power', [[start, '1']]) });
    for (const format of formatPaths) {
      assert.equal(await answer(unit, format), '200', format);
      const reply = await get(longer, format);
      assert.equal(summarize(reply), tooLarge, format);
      assert.match(reply.json.detail, /31 days/);
    }
  });

  test('[documents.55, documents.59] 50,000 samples and 500,000 cells are served, one more is refused', async () => {
    const unit = unitAt(bankId, 1, 3);
    await report(service, unit, { cycles: cyclesAt(1, [start, start + dayMs]) });
    const seriesId = await insertSamples(unit, 50_000, (index) => String(index % 10));
    const states =
      'Power,Temperature,SpinSpeed,WaterLevel,DoorClosed,ErrorId,Phase,CycleCount,OperatingHours,EnergyTotal';
    const { status, json } = await get(unit, 'table', `settings=&states=${states}`);
    assert.deepEqual([status, json.rows.length, json.columns.length], [200, 50_000, 10]);
    assert.equal(await answer(unit, 'table', `settings=&states=${states},WaterTotal`), tooLarge);
    // The Cycles are samples as well.
    assert.equal(await answer(unit, 'table', 'states=Power'), tooLarge);
    for (const format of ['table.html', 'table.csv', 'table.xls', 'graph.svg'] as const)
      assert.equal(await answer(unit, format), '200', format);
    await service.write('sund', (db) =>
      db
        .insertInto('state_samples')
        .values({ series_id: seriesId, at: start + dayMs, value: '1' })
        .execute(),
    );
    for (const format of formatPaths) assert.equal(await answer(unit, format), tooLarge, format);
    assert.equal(await answer(unit, 'table', 'settings=&states='), '200');
  });

  test('[documents.56] a value has 16,384 characters, and all values have 8 million', async () => {
    const [unit, longer, many] = [unitAt(bankId, 1, 4), unitAt(bankId, 1, 5), unitAt(bankId, 1, 6)];
    const longest = 'ø'.repeat(16_384);
    for (const [each, text] of [
      [unit, longest],
      [longer, `${longest}x`],
    ] as const)
      await report(service, each, {
        cycles: cyclesAt(1, [start, start + hourMs]),
        samples: samplesOf('Program', [[start, text]]),
      });
    const query = 'settings=&states=Program';
    const { status, json } = await get(unit, 'table', query);
    assert.deepEqual([status, json.rows[0].cells[0].text], [200, longest]);
    for (const format of ['table', 'table.html', 'table.csv', 'table.xls'] as const)
      assert.equal(await answer(longer, format, query), tooLarge, format);

    await report(service, many, { cycles: cyclesAt(1, [start, start + hourMs]) });
    const [whole, rest] = [Math.floor(8_000_000 / 16_384), 8_000_000 % 16_384];
    // The first sample has one character.
    const seriesId = await insertSamples(many, 1 + whole + 1, (index) =>
      'x'.repeat(index <= whole ? 16_384 : rest - 1),
    );
    assert.equal(await answer(many), '200');
    await service.write('sund', (db) =>
      db
        .insertInto('state_samples')
        .values({ series_id: seriesId, at: start + hourMs - 1, value: 'x' })
        .execute(),
    );
    assert.equal(await answer(many), tooLarge);
  });

  test('[documents.45] a graph needs numeric data', async () => {
    const unit = unitAt(bankId, 1, 7);
    await report(service, unit, {
      cycles: cyclesAt(1, [start, start + hourMs]),
      samples: samplesOf('Program', [[start, 'Wash']]),
    });
    assert.equal(await answer(unit, 'graph.svg', 'settings=&states=Program'), '422 no-numeric-data');
    assert.equal(await answer(unit, 'graph.svg', 'settings=&states='), '422 no-numeric-data');
    assert.equal(await answer(unit, 'graph.svg', 'settings=&states=Power'), '422 no-numeric-data');
  });

  type SearchSize = { readonly locations: number; readonly unitsPerLocation: number; readonly settings: number };

  /** Every location has as many units; the settings are those of the first unit. */
  async function insertBankOf({ locations, unitsPerLocation, settings }: SearchSize): Promise<number> {
    const id = nextBankId();
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: id, places: {} });
      const common = { ...noAddress, bank_id: id, enabled: 1, deleted_at: null };
      const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
      await insertRows(
        db,
        'locations',
        ids(locations).map((location_id) => ({
          ...common,
          location_id,
          name: `L${location_id}`,
          icon: null,
          time_zone: 'Europe/Copenhagen',
        })),
      );
      await insertRows(
        db,
        'units',
        ids(locations).flatMap((location_id) =>
          ids(unitsPerLocation).map((unit_id) => ({
            ...common,
            location_id,
            unit_id,
            name: `U${unit_id}`,
            unit_type: 1,
            packed_type: null,
            last_contact_at: null,
            computer_name: null,
            cluster: null,
            version: 1,
          })),
        ),
      );
      const row = { bank_id: id, location_id: 1, unit_id: 1, value: 'x', version: 1, changed_at: 1 };
      await insertRows(
        db,
        'unit_settings',
        ids(settings).map((at) => ({ ...row, name: `Setting${at}`, editor_id: null, sync_id: null })),
      );
    });
    return id;
  }

  for (const [what, within, past] of [
    [
      '1000 locations',
      { locations: 1000, unitsPerLocation: 1, settings: 0 },
      { locations: 1001, unitsPerLocation: 1, settings: 0 },
    ],
    [
      '5000 units',
      { locations: 2, unitsPerLocation: 2500, settings: 0 },
      { locations: 3, unitsPerLocation: 1667, settings: 0 },
    ],
    [
      '35,000 settings of units',
      { locations: 2, unitsPerLocation: 1, settings: 35_000 },
      { locations: 2, unitsPerLocation: 1, settings: 35_001 },
    ],
  ] as const)
    test(`[documents.24] a search covers at most ${what}, unless it is narrowed to a location`, async () => {
      const [small, large] = [await insertBankOf(within), await insertBankOf(past)];
      const search = (id: number, query = {}) => service.call('GET', searchPath(id, query), manager);
      const { status, json } = await search(small);
      assert.deepEqual([status, json.locations.length], [200, within.locations]);
      assert.equal(json.units.length, within.locations * within.unitsPerLocation);
      const refused = await search(large);
      assert.equal(summarize(refused), '422 search-too-large');
      assert.match(refused.json.detail, /locationKid/);
      const narrow = await search(large, { locationKid: `sund-B${large}-L2`, from: formatUtc(testNow - dayMs) });
      assert.deepEqual([narrow.status, narrow.json.locations.length], [200, 1]);
      assert.equal(narrow.json.units.length, past.unitsPerLocation);
    });
});
