// How the engines find a page of the audit log: each filter has an index in which the page is one range.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { startReadRecorder, type ReadRecorder } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { minuteMs, testNow } from '../support/times.ts';

const entries = 5000;

const entryAt = (at: number): Tables['audit_entries'] => ({
  chain: 1001 + (at % 3),
  sequence: at + 1,
  at: testNow - at * minuteMs,
  actor_kind: 'manager',
  actor_id: 5000 + (at % 40),
  address: null,
  operation: `Operation${at % 20}`,
  object: `sund-B1001-R${1001 + (at % 1000)}`,
  old_values: null,
  new_values: null,
  request_id: null,
  environment: null,
  link: String(at),
});

serviceSuite({ now: testNow }, ({ engine, service, manager, onStop }) => {
  let recorder: ReadRecorder;
  before(async () => {
    recorder = await startReadRecorder(service);
    onStop(recorder.stop);
    await service.write('sund', async (db) => {
      const rows = Array.from({ length: entries }, (_, at) => entryAt(at));
      for (let from = 0; from < entries; from += 500)
        await insertRows(db, 'audit_entries', rows.slice(from, from + 500));
      if (engine === 'mariadb') await db.execute('analyze table audit_entries', []);
    });
  });

  for (const [name, query, index] of [
    ['no filter', '', /audit_entries_by_time/],
    ['an interval', `from=${formatUtc(testNow - 600 * minuteMs)}`, /audit_entries_by_time/],
    ['a manager', 'managerKid=sund-M5007', /audit_entries_by_actor$/],
    ['an operation', 'operation=Operation7', /audit_entries_by_operation/],
    ['both', 'managerKid=sund-M5007&operation=Operation7', /audit_entries_by_actor_and_operation/],
    ['an object', 'object=sund-B1001-R1007', /audit_entries_by_object/],
  ] as const)
    test(`a page with ${name} is read by its index, and its entries by their keys`, async () => {
      const statements = await recorder.statementsOf(`/api/v1/audit?limit=20&${query}`, manager.token);
      const pages = statements.filter(({ sql }) => sql.includes('audit_entries'));
      assert.equal(pages.length, 1);
      const [page] = pages;
      assert.ok(page !== undefined);
      const plan = (await recorder.planOf(page)).filter(({ table }) => table === 'e');
      const used = plan.map(({ index: each }) => each ?? 'none');
      assert.ok(
        used.some((each) => index.test(each)),
        JSON.stringify(plan),
      );
      assert.ok(!used.includes('none'), JSON.stringify(plan));
    });
});
