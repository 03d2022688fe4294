// A deleted bank whose places and samples still exist.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
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
} from './support/reports.ts';

const unit = unitAt(1001, 1, 1);

serviceSuite({ now: testNow, manager: { retentionDays: 3650 } }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1] } }));
    await report(service, unit, {
      cycles: cyclesAt(1, [testNow - 2 * hourMs, testNow - hourMs]),
      samples: samplesOf('Power', [[testNow - 2 * hourMs, '1']]),
      syncedThrough: testNow,
    });
  });

  test('[documents.06, documents.22] a deleted bank has neither a search nor documents, even if its places are not deleted, and whatever RetentionDays the manager has', async () => {
    const paths = [
      searchPath(1001),
      searchPath(1001, { locationKid: 'sund-B1001-L1' }),
      searchPath(1001, { unitKid: 'sund-B1001-L1-U1' }),
      ...formatPaths.map((format) => documentPath(documentKidOf(unit, 1), format)),
    ];
    for (const path of paths) assert.equal((await service.call('GET', path, manager)).status, 200, path);
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ deleted_at: testNow }).where('bank_id', '=', 1001).execute(),
    );
    for (const path of paths) assert.equal(summarize(await service.call('GET', path, manager)), '404 not-found', path);
  });
});
