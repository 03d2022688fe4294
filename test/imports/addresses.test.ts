// Addresses in imports of banks and locations: as the operations on addresses store them, without a lookup.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSoundAudit, readAuditEntries } from '../support/audit.ts';
import { insertTestBank } from '../support/factories.ts';
import { exportRows, importRows, planRows, readRows, undoImport } from '../support/import-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const header = ['key', 'kid', 'name', 'address', 'zip', 'latitude', 'longitude'];

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, issueToken }) => {
  const newBank = async (): Promise<{ bankId: number; bankKid: string }> => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    return { bankId, bankKid: `sund-B${bankId}` };
  };
  const addressOf = async (kid: string) => {
    const { json } = await service.call('GET', `/api/v1/addresses/${kid}`, manager);
    return [json.address, json.zip, json.latitude, json.longitude, json.autoLatitudeLongitude];
  };
  const listQueued = (bankId: number) =>
    service.read('sund', (db) =>
      db
        .selectFrom('device_sync')
        .select(['subject_kind', 'location_id'])
        .where('bank_id', '=', bankId)
        .orderBy('sync_id')
        .execute(),
    );
  /** As if the address had been looked up in June. */
  const setLookedUp = (bankId: number, locationId: number) =>
    service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ address: 'Old Lane 1', zip: '2100 Town', latitude: 55_000_000, longitude: 12_000_000 })
        .set({ coordinate_provenance: 6 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', locationId)
        .execute(),
    );

  test('locations get their addresses and coordinates, devices and the audit log are told, and an undo takes them back', async () => {
    const { bankId, bankKid } = await newBank();
    const [one, two] = [`${bankKid}-L1`, `${bankKid}-L2`];
    await setLookedUp(bankId, 2);
    const rows = [
      header,
      ['a', one, 'Location 1', ' Lane 1 ', '2100 Town', '55,676111', '-12.568333'],
      ['b', two, 'Location 2', 'Lane 2', '2100 Town', '55.000000', '12.000000'],
      ['c', '', 'New', 'Lane 3', '', '1.500000', '2.500000'],
    ];
    const { kid, items } = await importRows(service, { kind: 'locations', bankId, token: manager.token, rows });
    assert.deepEqual(
      items.map(({ action }) => action),
      ['update', 'update', 'create'],
    );
    const three = items[2]!.objectKid as string;
    assert.deepEqual(await addressOf(one), ['Lane 1', '2100 Town', 55_676_111, -12_568_333, 30]);
    // Those of the old address, which were looked up, are not those of the new one.
    assert.deepEqual(await addressOf(two), ['Lane 2', '2100 Town', null, null, 0]);
    assert.deepEqual(await addressOf(three), ['Lane 3', '', 1_500_000, 2_500_000, 30]);
    assert.deepEqual(
      (await listQueued(bankId)).map(({ subject_kind, location_id }) => `${subject_kind} ${location_id}`),
      ['place-address 1', 'place-address 2'],
    );
    const entry = (await readAuditEntries(service)).find(({ object }) => object === one);
    assert.deepEqual(JSON.parse(entry?.new_values ?? '{}'), {
      address: 'Lane 1',
      zip: '2100 Town',
      latitude: '55676111',
      longitude: '-12568333',
    });
    const exported = await exportRows(service, { kind: 'locations', bankId, token: manager.token });
    const again = await planRows(service, { kind: 'locations', bankId, token: manager.token, rows: exported });
    assert.deepEqual(again.counts, { create: 0, update: 0, unchanged: 3, missing: 0, refused: 0 });
    await undoImport(service, kid, manager.token);
    assert.deepEqual((await addressOf(one)).slice(0, 4), ['', '', null, null]);
    assert.deepEqual((await addressOf(two)).slice(0, 4), ['Old Lane 1', '2100 Town', 55_000_000, 12_000_000]);
    assert.deepEqual(
      (await readRows(service, kid, manager.token)).map(({ outcome }) => outcome),
      ['undone', 'undone', 'undone'],
    );
    assert.equal((await listQueued(bankId)).length, 4);
    await assertSoundAudit(service);
  });

  test('a file without addresses leaves them as they are, and one with coordinates alone sets these', async () => {
    const { bankId, bankKid } = await newBank();
    await setLookedUp(bankId, 1);
    const kid = `${bankKid}-L1`;
    const withoutThem = [
      ['key', 'kid', 'name'],
      ['a', kid, 'Renamed'],
    ];
    await importRows(service, { kind: 'locations', bankId, token: manager.token, rows: withoutThem });
    assert.deepEqual(await addressOf(kid), ['Old Lane 1', '2100 Town', 55_000_000, 12_000_000, 6]);
    const coordinates = [
      ['key', 'latitude', 'longitude'],
      ['a', '56.000000', '12.000000'],
    ];
    await importRows(service, { kind: 'locations', bankId, token: manager.token, rows: coordinates });
    assert.deepEqual(await addressOf(kid), ['Old Lane 1', '2100 Town', 56_000_000, 12_000_000, 30]);
  });

  test('banks get their addresses, and devices are told', async () => {
    const { bankId, bankKid } = await newBank();
    const fresh = nextBankId();
    const rows = [
      ['key', 'kid', 'number', 'name', 'type', 'address', 'zip', 'latitude', 'longitude'],
      [`k${bankId}`, bankKid, '', `Bank ${bankId}`, 'Cash', 'Square 1', '2100 Town', '55.500000', '12.500000'],
      [`k${fresh}`, '', String(fresh), 'New', 'Cash', 'Square 2', '', '', ''],
    ];
    const { kid } = await importRows(service, { kind: 'banks', token: manager.token, rows });
    assert.deepEqual(await addressOf(bankKid), ['Square 1', '2100 Town', 55_500_000, 12_500_000, 30]);
    assert.deepEqual((await addressOf(`sund-B${fresh}`)).slice(0, 4), ['Square 2', '', null, null]);
    assert.deepEqual(
      (await listQueued(bankId)).map(({ subject_kind, location_id }) => `${subject_kind} ${location_id}`),
      ['place-address 0'],
    );
    await undoImport(service, kid, manager.token);
    assert.deepEqual((await addressOf(bankKid)).slice(0, 4), ['', '', null, null]);
    assert.equal((await listQueued(bankId)).length, 2);
    await assertSoundAudit(service);
  });

  test('what no operation on addresses would store is refused, and a disabled location shows its address only to the tenant', async () => {
    const { bankId, bankKid } = await newBank();
    const planned = await planRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [
        header,
        ['a', `${bankKid}-L1`, 'A', 'x'.repeat(513), '', '', ''],
        ['b', `${bankKid}-L2`, 'B', '', '', '91.000000', '1.000000'],
        ['c', '', 'C', '', '', '1.000000', ''],
      ],
    });
    assert.deepEqual(
      (await readRows(service, planned.kid, manager.token)).map(
        ({ errors }) => `${errors[0]?.field} ${errors[0]?.code}`,
      ),
      ['address too-long', 'latitude invalid', 'longitude required'],
    );
    await setLookedUp(bankId, 1);
    await service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ enabled: 0 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 1)
        .execute(),
    );
    const narrow = await issueToken({ grants: [{ bankId, locationId: 0 }] });
    const [names = [], row = []] = await exportRows(service, { kind: 'locations', bankId, token: narrow });
    assert.equal(row[names.indexOf('address')], '');
    const rows = [names, row.with(names.indexOf('name'), 'Renamed')];
    const { items } = await importRows(service, { kind: 'locations', bankId, token: narrow, rows });
    assert.deepEqual(
      items[0]!.changes.map(({ field }: { field: string }) => field),
      ['name', 'key'],
    );
    assert.deepEqual((await addressOf(`${bankKid}-L1`)).slice(0, 2), ['Old Lane 1', '2100 Town']);
    const refused = await planRows(service, {
      kind: 'locations',
      bankId,
      token: narrow,
      rows: [names, row.with(names.indexOf('address'), 'Lane 9')],
    });
    assert.equal((await readRows(service, refused.kid, narrow))[0].errors[0].code, 'too-narrow');
    // The plan of a manager of the whole tenant has it.
    const wide = await planRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [names, row.with(names.indexOf('name'), 'Other').with(names.indexOf('address'), 'Lane 9')],
    });
    const fieldsFor = async (token: string) =>
      (await readRows(service, wide.kid, token))[0].changes.map(({ field }: { field: string }) => field);
    assert.deepEqual(await fieldsFor(narrow), ['name']);
    assert.ok((await fieldsFor(manager.token)).includes('address'));
  });
});
