// Every export appends one entry before it sends anything. A new export operation fails here until it is added to the
// list.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { Databases } from '../../src/database/databases.ts';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { postingDraft } from '../support/account-reads.ts';
import { assertSoundAudit, recordAudit } from '../support/audit.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import { cyclesAt, report, samplesOf, unitAt } from '../documents/support/reports.ts';

const exportTypes = new Set(['text/csv', 'application/vnd.ms-excel', 'application/zip']);
/** A template has no data. */
const isExport = (operation: Operation): boolean =>
  operation.id !== 'GetImportTemplate' && operation.response.mediaTypes.some((type) => exportTypes.has(type));

const bankPath = '/api/v1/banks/sund-B1001';
const documentPath = '/api/v1/documents/sund-B1001-L1-U1-D5551';

type Export = { readonly path: string; readonly object: string; readonly exported: object };

/** The exports by operation, all of one bank. */
const exports: Readonly<Record<string, readonly Export[]>> = {
  ExportBankAccount: ['csv', 'xls'].map((format) => ({
    path: `${bankPath}/account/export.${format}?Period=0`,
    object: 'sund-B1001',
    exported: { format, rows: 1, period: 0 },
  })),
  ExportBankUsers: [
    { path: `${bankPath}/users/export.csv`, object: 'sund-B1001', exported: { format: 'csv', rows: 2 } },
    // The text of a search can be a name.
    { path: `${bankPath}/users/export.csv?filter=1002`, object: 'sund-B1001', exported: { format: 'csv', rows: 1 } },
  ],
  ExportData: [
    {
      path: '/api/v1/exports/residents?bankKid=sund-B1001',
      object: 'sund-B1001',
      exported: { kind: 'residents', format: 'csv' },
    },
  ],
  DownloadBankSettlement: [
    { path: `${bankPath}/settlements/1/download.zip`, object: 'sund-B1001', exported: { period: 1, rows: 2 } },
  ],
  DownloadUnitDocumentCsv: [
    { path: `${documentPath}/table.csv`, object: 'sund-B1001-L1-U1-D5551', exported: { format: 'csv' } },
  ],
  DownloadUnitDocumentXls: [
    { path: `${documentPath}/table.xls`, object: 'sund-B1001-L1-U1-D5551', exported: { format: 'xls' } },
  ],
};
const everyExport = Object.entries(exports).flatMap(([id, all]) => all.map((each) => ({ id, ...each })));

serviceSuite({ now: testNow }, ({ service, manager, clock, onStop }) => {
  /** The same application on a database that can no longer be written. */
  let unwritable: TestInstance;
  before(async () => {
    const bank = grantBank(1001);
    const draft = (at: number) => postingDraft(at, { internalTag: 1 });
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      for (const residentId of [1001, 1002]) await insertTestResident(db, residentId);
      await lockAndAppendPostings(db, bank, [draft(testNow - 2 * hourMs), draft(testNow - 2 * hourMs)]);
      await lockAndClosePeriod(db, bank, testNow - hourMs, testNow - hourMs);
      await lockAndAppendPostings(db, bank, [draft(testNow)]);
    });
    await report(service, unitAt(1001, 1, 1), {
      samples: samplesOf('Temperature', [[testNow - 1000, '40']]),
      cycles: cyclesAt(5551, [testNow - 2000, testNow - 1000]),
      syncedThrough: testNow,
    });
    unwritable = await startInstance(service, { databases: withoutWrites(service.dependencies.databases) });
    onStop(unwritable.stop);
  });

  test('every operation that exports is among those tried here', () => {
    const { operations } = createOperations(service.dependencies);
    assert.deepEqual(
      Object.keys(exports).toSorted(),
      operations
        .filter(isExport)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  for (const { id, path, object, exported } of everyExport)
    test(`${id} of ${path} appends one entry, which says what was exported`, async () => {
      const { result, entries } = await recordAudit(service, () => service.call('GET', path, manager));
      assert.equal(result.status, 200, result.text);
      assert.deepEqual(
        entries.map(({ chain, at, actor_id, operation, object: recorded, request_id, old_values, new_values }) => [
          chain,
          at,
          actor_id,
          operation,
          recorded,
          request_id,
          old_values,
          JSON.parse(String(new_values)),
        ]),
        [[1001, testNow, manager.managerId, id, object, result.headers['x-request-id'], null, exported]],
      );
      await assertSoundAudit(service);
    });

  test('HEAD, and an export that is refused, append nothing', async () => {
    const noToken = { token: undefined };
    for (const { path } of everyExport) {
      const { entries } = await recordAudit(service, async () => {
        assert.equal((await service.call('HEAD', path, manager)).status, 200, path);
        assert.equal((await service.call('GET', path, noToken)).status, 401, path);
        assert.equal((await service.call('GET', path.replaceAll('B1001', 'B1999'), manager)).status >= 400, true, path);
      });
      assert.deepEqual(entries, [], path);
    }
  });

  test('an export that cannot be recorded is not sent', async () => {
    for (const { path } of everyExport) {
      const reply = await unwritable.call('GET', path, manager);
      assert.equal(reply.status, 503, path);
      assert.match(reply.json.code, /^storage-/);
    }
  });

  test('an export is 503 clock-behind while the clock is set back', async () => {
    for (const { path } of everyExport) {
      clock.now = testNow;
      assert.equal((await service.call('GET', path, manager)).status, 200, path);
      clock.now = testNow - 3000;
      const { result, entries } = await recordAudit(service, () => service.call('GET', path, manager));
      assert.deepEqual([result.status, result.json.code, entries], [503, 'clock-behind', []], path);
    }
  });

  test('many exports of a bank at once are all recorded', async () => {
    const { entries } = await recordAudit(service, () =>
      Promise.all(
        everyExport.map(async ({ path }) => {
          assert.equal((await service.call('GET', path, manager)).status, 200, path);
        }),
      ),
    );
    assert.equal(entries.length, everyExport.length);
    await assertSoundAudit(service);
  });
});

const withoutWrites = (databases: Databases): Databases => ({
  ...databases,
  forTenant: (tenant) => ({
    ...databases.forTenant(tenant),
    write: () => Promise.reject(new StorageError('unavailable')),
  }),
});
