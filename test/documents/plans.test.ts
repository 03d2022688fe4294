// How the engines execute a search and a document: by indexes, in a constant number of statements.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { insertTestBank } from '../support/factories.ts';
import { startReadRecorder, type ReadRecorder } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  report,
  samplesOf,
  searchPath,
  unitAt,
  unitKidOf,
} from './support/reports.ts';

const isPrimaryKey = /primary|autoindex|pk/i;
const bankId = 1001;
const units = 40;
const documentsPerUnit = 50;

serviceSuite({ now: testNow }, ({ engine, service, manager, onStop }) => {
  let recorder: ReadRecorder;
  before(async () => {
    recorder = await startReadRecorder(service);
    onStop(recorder.stop);
    const unitIds = Array.from({ length: units }, (_, index) => index + 1);
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId, places: { 1: unitIds, 2: unitIds } });
      const rows = [1, 2].flatMap((location_id) =>
        unitIds.flatMap((unit_id) =>
          Array.from({ length: documentsPerUnit * 4 }, (_, at): Tables['document_cycles'] => ({
            bank_id: bankId,
            location_id,
            unit_id,
            at: testNow - at * 10 * minuteMs - unit_id,
            document_id: Math.floor(at / 4) + 1,
            value: 'Wash',
          })),
        ),
      );
      await insertRows(db, 'document_cycles', rows);
      const writes = [1, 2].flatMap((location_id) =>
        unitIds.flatMap((unit_id) =>
          ['Cycle', 'Note', 'OutOfOrder', 'PriceWash40'].flatMap((name) =>
            Array.from({ length: 50 }, (_, at): Tables['unit_setting_history'] => ({
              bank_id: bankId,
              location_id,
              unit_id,
              name,
              version: 1000 + at,
              value: '1',
              changed_at: testNow - at * 10 * minuteMs,
              editor_id: null,
              sync_id: null,
            })),
          ),
        ),
      );
      await insertRows(db, 'unit_setting_history', writes);
    });
    await report(service, unitAt(bankId, 1, 1), {
      cycles: cyclesAt(999, [testNow, testNow + hourMs]),
      samples: ['Power', 'Temperature'].flatMap((name) =>
        samplesOf(
          name,
          Array.from({ length: 200 }, (_, index) => [testNow + index * 1000, '1'] as const),
        ),
      ),
    });
    if (engine === 'mariadb')
      await service.write('sund', async (db) => {
        for (const table of ['document_cycles', 'units', 'locations', 'unit_settings', 'unit_setting_history'])
          await db.execute(`analyze table ${table}`, []);
      });
  });

  const interval = { from: formatUtc(testNow - 48 * hourMs), through: formatUtc(testNow) };
  const indexes = async (path: string, statement: RegExp): Promise<Record<string, string>[]> => {
    const found = (await recorder.statementsOf(path, manager.token)).filter(({ sql }) => statement.test(sql));
    assert.ok(found.length > 0, 'the statement is there');
    const plans = await Promise.all(found.map((each) => recorder.planOf(each)));
    return plans.map((steps) => Object.fromEntries(steps.map(({ table, index }) => [table, index ?? 'none'])));
  };

  test('[documents.21] a search walks the Cycles by an index, whatever it is narrowed to', async () => {
    // With so few rows MariaDB can choose any index that begins with the unit.
    const asked = [
      [{}, /document_cycles_of_bank/],
      [{ locationKid: 'sund-B1001-L1' }, /document_cycles_of_(location|bank)/],
      [
        { unitKid: unitKidOf(unitAt(bankId, 1, 1)) },
        engine === 'mariadb' ? /document_cycles_of_unit|PRIMARY/ : /document_cycles_of_unit/,
      ],
    ] as const;
    for (const [query, index] of asked) {
      const [plan = {}] = await indexes(searchPath(bankId, { ...interval, ...query }), /as "?`?later/);
      assert.match(plan['c'] ?? '', index, JSON.stringify(plan));
      assert.match(plan['later'] ?? '', isPrimaryKey, JSON.stringify(plan));
      assert.ok(!Object.values(plan).includes('none'), JSON.stringify(plan));
    }
  });

  test('[documents.14] a search takes as many statements for a hundred documents as for one', async () => {
    const count = async (limit: number): Promise<number> =>
      (await recorder.statementsOf(searchPath(bankId, { ...interval, limit }), manager.token)).length;
    const ofOne = await count(1);
    assert.equal(await count(100), ofOne);
    assert.ok(ofOne <= 6, String(ofOne));
  });

  test('a document is read by the keys of its samples, Cycles and settings', async () => {
    const path = documentPath(documentKidOf(unitAt(bankId, 1, 1), 999));
    const plans = await indexes(path, /state_samples|document_cycles|unit_setting_history/);
    for (const plan of plans)
      for (const [table, index] of Object.entries(plan))
        // Derived tables have no index.
        assert.ok(index !== 'none' || ['d', 'lengths'].includes(table), JSON.stringify(plan));
    // The plan does not read all Cycles of the unit. MariaDB reads the first and the last while it plans.
    for (const { c: index, n: following } of plans) {
      assert.match(index ?? 'primary', isPrimaryKey);
      assert.match(following ?? 'document_cycles_of_unit', /document_cycles_of_unit|PRIMARY/);
    }
    const few = (await recorder.statementsOf(documentPath(documentKidOf(unitAt(bankId, 1, 2), 1)), manager.token))
      .length;
    const many = (await recorder.statementsOf(path, manager.token)).length;
    assert.ok(many <= 7 && few <= many, `${few} ${many}`);
  });
});
