// Imports of opening exceptions: what is stored, what is refused, and how devices learn of it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import { readAuditEntries } from '../support/audit.ts';
import { exportRows, importRows, planRows, readRows, undoImport } from '../support/import-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callSetUnitSetting, unitIds } from '../support/unit-settings.ts';

serviceSuite({ now: testNow }, ({ service, manager, nextBankId }) => {
  let bankId = 0;
  let bankKid = '';
  before(async () => {
    bankId = nextBankId();
    bankKid = `sund-B${bankId}`;
    await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1, 2], 2: [1] } }));
  });
  const request = (...rows: string[][]) => ({
    kind: 'opening-exceptions',
    bankId,
    token: manager.token,
    rows: [['location', 'unit', 'day', 'intervals', 'text'], ...rows],
  });
  const readStored = async (): Promise<unknown[]> =>
    (
      await service.read('sund', (db) =>
        db
          .selectFrom('opening_exceptions')
          .selectAll()
          .where('bank_id', '=', bankId)
          .orderBy('location_id')
          .orderBy('unit_id')
          .orderBy('day')
          .execute(),
      )
    ).map(({ location_id, unit_id, day, intervals, text }) => [location_id, unit_id, day, intervals, text]);
  const readSyncs = (): Promise<{ location_id: number; unit_id: number; sync_id: number }[]> =>
    service.read('sund', (db) =>
      db
        .selectFrom('device_sync')
        .select(['location_id', 'unit_id', 'sync_id'])
        .where('bank_id', '=', bankId)
        .orderBy('sync_id')
        .execute(),
    );

  test('[imports.60] exceptions of locations and units are stored, changed, exported and taken back', async () => {
    const first = await importRows(
      service,
      request(
        ['Location 1', '', '2026-12-24', 'Closed', ' Christmas Eve '],
        ['', `${bankKid}-L1-U1`, '2026-12-24', '13:00-22:00, 07:00-12:00', ''],
      ),
    );
    assert.deepEqual(await readStored(), [
      [1, 0, '2026-12-24', 'closed', 'Christmas Eve'],
      [1, 1, '2026-12-24', '07:00-12:00,13:00-22:00', ''],
    ]);
    const hours = await service.call('GET', `/api/v1/locations/${bankKid}-L1/opening-hours`, manager);
    assert.deepEqual(
      hours.json.groups.map(({ exceptions }: { exceptions: { text: string }[] }) => exceptions.map(({ text }) => text)),
      [[''], ['Christmas Eve']],
    );
    const rows = await exportRows(service, { kind: 'opening-exceptions', bankId, token: manager.token });
    assert.equal((await planRows(service, { ...request(), rows })).counts.unchanged, 2);
    const second = await importRows(service, request(['Location 1', '', '2026-12-24', '10:00-12:00', 'Christmas Eve']));
    assert.deepEqual(
      second.items.map(({ action }) => action),
      ['update'],
    );
    await undoImport(service, second.kid, manager.token);
    assert.equal((await readStored()).length, 2);
    await undoImport(service, first.kid, manager.token);
    assert.deepEqual(await readStored(), []);
    const entries = (await readAuditEntries(service)).filter(({ object }) => object === `${bankKid}-L1`);
    assert.deepEqual(
      [entries[0]?.old_values, entries[0]?.new_values],
      [
        '{"day":"2026-12-24","openingException":null,"text":null}',
        '{"day":"2026-12-24","openingException":"closed","text":"Christmas Eve"}',
      ],
    );
  });

  test('[imports.61] an exception is sent to the devices that it concerns with the hours of their units', async () => {
    for (const [locationId, unitId] of [
      [1, 1],
      [1, 2],
      [2, 1],
    ] as const)
      await callSetUnitSetting(service, unitIds(bankId, locationId, unitId), 'OpeningMonday', '07:00-20:00', manager);
    await service.write('sund', (db) =>
      db.updateTable('units').set({ computer_name: 'gateway' }).where('bank_id', '=', bankId).execute(),
    );
    const earlier = (await readSyncs()).length;
    await importRows(service, request(['Location 1', '', '2027-01-01', 'closed', '']));
    const sent = (await readSyncs()).slice(earlier);
    assert.deepEqual(
      sent.map(({ location_id, unit_id }) => [location_id, unit_id]),
      [
        [1, 1],
        [1, 2],
      ],
    );
    const settings = await service.read('sund', (db) =>
      db
        .selectFrom('unit_settings')
        .select(['value', 'sync_id'])
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 1)
        .orderBy('unit_id')
        .execute(),
    );
    assert.deepEqual(
      settings,
      sent.map(({ sync_id }) => ({ value: '07:00-20:00', sync_id })),
    );
    await importRows(service, request(['', `${bankKid}-L2-U1`, '2027-01-01', 'closed', '']));
    assert.deepEqual(
      (await readSyncs()).slice(earlier + 2).map(({ location_id, unit_id }) => [location_id, unit_id]),
      [[2, 1]],
    );
  });

  test('[imports.62] rows of exceptions are refused with the field and the code', async () => {
    const { kid } = await planRows(
      service,
      request(
        ['', '', '2027-02-01', 'closed', ''],
        ['Location 1', `${bankKid}-L1-U1`, '2027-02-02', 'closed', ''],
        ['Location 1', '', '2027-02-30', '', 'x'.repeat(201)],
        ['Location 1', '', '2027-02-03', '7-12', ''],
        ['sund-B1-L1', '', '2027-02-04', 'closed', ''],
        ['Location 1', '', '2027-02-05', 'closed', ''],
        [`${bankKid}-L1`, '', '2027-02-05', 'closed', ''],
      ),
    );
    const rows = await readRows(service, kid, manager.token);
    assert.deepEqual(
      rows.map(({ errors }) => errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)),
      [
        ['location required'],
        ['unit invalid'],
        ['day invalid', 'intervals required', 'text too-long'],
        ['intervals invalid'],
        ['location unknown-reference'],
        [],
        ['exception repeated'],
      ],
    );
  });
});
