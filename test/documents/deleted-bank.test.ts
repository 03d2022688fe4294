// A bank that is deleted, while its places and what their equipment sent are still there.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formPaths,
  report,
  samplesOf,
  searchPath,
  summarize,
  unitAt,
} from './support/reports.ts';

const unit = unitAt(1001, 1, 1);

serviceSuite({ now: testNow }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1] } }));
    await report(service, unit, {
      cycles: cyclesAt(1, [testNow - 2 * hourMs, testNow - hourMs]),
      samples: samplesOf('Power', [[testNow - 2 * hourMs, '1']]),
      syncedThrough: testNow,
    });
  });

  test('[documents.06, documents.22] a bank that is deleted has neither a search nor a form, though its places are not deleted', async () => {
    const paths = [
      searchPath(1001),
      searchPath(1001, { locationKid: 'sund-B1001-L1' }),
      searchPath(1001, { unitKid: 'sund-B1001-L1-U1' }),
      ...formPaths.map((form) => documentPath(documentKidOf(unit, 1), form)),
    ];
    for (const path of paths) assert.equal((await service.call('GET', path, manager)).status, 200, path);
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ deleted_at: testNow }).where('bank_id', '=', 1001).execute(),
    );
    for (const path of paths) assert.equal(summarize(await service.call('GET', path, manager)), '404 not-found', path);
  });
});
