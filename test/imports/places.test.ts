// Imports of banks, locations and units: what is stored of them, what is refused, and how they are taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditEntries } from '../support/audit.ts';
import {
  applyImport,
  exportRows,
  importRows,
  planRows,
  sendRows,
  readRows,
  undoImport,
} from '../support/import-calls.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { insertSetting } from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, issueToken }) => {
  const newBank = async (places: Record<number, number[]> = {}): Promise<{ bankId: number; bankKid: string }> => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId, places }));
    return { bankId, bankKid: `sund-B${bankId}` };
  };
  const refusals = async (kid: string) =>
    (await readRows(service, kid, manager.token)).map(({ key, errors }) => [
      key,
      errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
    ]);

  test('[imports.40] banks, locations and units that are imported are read and booked like any others', async () => {
    const bankId = nextBankId();
    const number = String(bankId);
    const bankKid = `sund-B${number}`;
    const banks = await importRows(service, {
      kind: 'banks',
      token: manager.token,
      rows: [
        ['key', 'number', 'name', 'type', 'vat', 'discount', 'icon'],
        ['b1', number, 'Example Housing', 'cash', '25.00', '7.5', 'building'],
      ],
    });
    assert.deepEqual(
      banks.items.map(({ action, objectKid }) => [action, objectKid]),
      [['create', bankKid]],
    );
    const stored = await service.read('sund', (db) =>
      db.selectFrom('banks').selectAll().where('bank_id', '=', Number(number)).executeTakeFirstOrThrow(),
    );
    assert.deepEqual(
      [stored.name, stored.bank_type, stored.currency, stored.vat_basis_points, stored.discount_basis_points],
      ['Example Housing', 1, 'DKK', 2500, 750],
    );
    const account = await service.call('GET', `/api/v1/banks/${bankKid}/account?period=0`, { token: manager.token });
    assert.equal(account.status, 200, account.text);

    const locations = await importRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'name', 'timeZone', 'icon', 'enabled'],
        ['house-1', 'Lane 1', 'Romance Standard Time', '', ''],
        ['house-2', 'Lane 2', 'europe/london', 'Laundry_Room', 'false'],
      ],
    });
    assert.deepEqual(
      locations.items.map(({ objectKid }) => objectKid),
      [`${bankKid}-L1`, `${bankKid}-L2`],
    );
    const listed = await service.call('GET', `/api/v1/banks/${bankKid}/locations`, { token: manager.token });
    assert.deepEqual(
      listed.json.items.map(({ name, timeZone, enabled }: Record<string, unknown>) => [name, timeZone, enabled]),
      [
        ['Lane 1', 'Europe/Copenhagen', true],
        ['Lane 2', 'Europe/London', false],
      ],
    );
    const units = await importRows(service, {
      kind: 'units',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'location', 'name', 'type'],
        ['w1', 'house-1', '{washer} 1', 'Washer'],
        ['w2', 'Lane 2', '{washer} 1', 'washer'],
        ['d1', `${bankKid}-L1`, '{dryer} 1', 'dryer'],
      ],
    });
    assert.deepEqual(
      units.items.map(({ objectKid }) => objectKid),
      ['L1-U1', 'L2-U1', 'L1-U2'].map((rest) => `${bankKid}-${rest}`),
    );
    const set = await service.call('PUT', `/api/v1/units/${bankKid}-L1-U1/settings/PriceWash40`, {
      token: manager.token,
      body: { value: 2000, expectedRevision: '0' },
    });
    assert.equal(set.status, 200, set.text);
  });

  test('[imports.41] what is exported of places is unchanged when it is imported again', async () => {
    const { bankId } = await newBank({ 1: [1, 2], 2: [1] });
    for (const kind of ['locations', 'units']) {
      const rows = await exportRows(service, { kind, bankId, token: manager.token });
      assert.equal(rows.length, kind === 'units' ? 4 : 3);
      const first = await planRows(service, { kind, bankId, token: manager.token, rows });
      // The objects get the keys of the file, and nothing else.
      assert.deepEqual(first.counts, { create: 0, update: rows.length - 1, unchanged: 0, missing: 0, refused: 0 });
      await applyImport(service, first.kid, manager.token);
      const again = await planRows(service, {
        kind,
        bankId,
        token: manager.token,
        rows: await exportRows(service, { kind, bankId, token: manager.token }),
      });
      assert.equal(again.counts.unchanged, rows.length - 1);
    }
    const banks = await exportRows(service, { kind: 'banks', token: manager.token });
    const planned = await planRows(service, { kind: 'banks', token: manager.token, rows: banks });
    assert.deepEqual([planned.counts.refused, planned.counts.create], [0, 0]);
  });

  test('[imports.42] rows of places that no operation would store are refused, with the field and the code', async () => {
    const { bankId, bankKid } = await newBank({ 1: [1] });
    const other = await newBank({ 1: [1] });
    const locations = await planRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'name', 'timeZone', 'icon', 'enabled'],
        ['a', '', '', '', ''],
        ['b', 'x'.repeat(201), '', '', ''],
        ['c', 'C', 'Nowhere/Else', 'no-such-icon', 'maybe'],
      ],
    });
    assert.deepEqual(await refusals(locations.kid), [
      ['a', ['name required']],
      ['b', ['name too-long']],
      ['c', ['timeZone invalid', 'icon invalid', 'enabled invalid']],
    ]);
    const units = await planRows(service, {
      kind: 'units',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'kid', 'location', 'name', 'type'],
        ['a', '', 'nowhere', 'A', 'washer'],
        ['b', '', `${other.bankKid}-L1`, 'B', 'washer'],
        ['c', '', `${bankKid}-L1`, 'C', 'spaceship'],
        ['d', `${other.bankKid}-L1-U1`, `${other.bankKid}-L1`, 'D', 'washer'],
        ['e', `${bankKid}-L1-U1`, `${other.bankKid}-L1`, 'E', 'washer'],
      ],
    });
    assert.deepEqual(await refusals(units.kid), [
      ['a', ['location unknown-reference']],
      ['b', ['location unknown-reference']],
      ['c', ['type invalid']],
      ['d', ['location unknown-reference', 'kid unknown-object']],
      ['e', ['location cannot-change']],
    ]);
    const banks = await planRows(service, {
      kind: 'banks',
      token: manager.token,
      rows: [
        ['key', 'number', 'name', 'type', 'currency', 'vat', 'discount'],
        ['a', bankKid.slice('sund-B'.length), 'A', 'Cash', '', '', ''],
        ['b', '12', 'B', 'Loan', 'XYZ', '100.01', ''],
        ['c', '', 'C', 'Rent', 'EUR', '', '5.00'],
        ['d', '1900000', 'D', 'Rent', '', '', ''],
        ['e', '1900000', 'E', 'Rent', '', '', ''],
      ],
    });
    assert.deepEqual(await refusals(banks.kid), [
      ['a', ['number taken']],
      ['b', ['number invalid', 'type invalid', 'currency invalid', 'vat invalid']],
      ['c', ['discount invalid']],
      ['d', []],
      ['e', ['number repeated']],
    ]);
  });

  test('[imports.43] places are taken back as long as nothing depends on them, and their ids are not given again', async () => {
    const { bankId, bankKid } = await newBank({ 1: [1] });
    const rows = [
      ['key', 'kid', 'name'],
      ['old', `${bankKid}-L1`, 'Renamed'],
      ['free', '', 'Free'],
      ['lived-in', '', 'Lived in'],
      ['with-unit', '', 'With unit'],
    ];
    const { kid, items } = await importRows(service, { kind: 'locations', bankId, token: manager.token, rows });
    assert.deepEqual(
      items.map(({ action }) => action),
      ['update', 'create', 'create', 'create'],
    );
    await service.write('sund', async (db) => {
      await insertTestResident(db, 2001, { bankId });
      await db.updateTable('residents').set({ location_id: 3 }).where('bank_id', '=', bankId).execute();
    });
    await importRows(service, {
      kind: 'units',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'location', 'name', 'type'],
        ['u', 'with-unit', 'U', 'door'],
      ],
    });
    const undone = await undoImport(service, kid, manager.token);
    assert.deepEqual([undone.counts.undone ?? undone.outcomes?.undone, undone.state], [2, 'undone']);
    const outcomes = (await readRows(service, kid, manager.token)).map(({ key, outcome, errors }) => [
      key,
      outcome,
      errors.map(({ code, text }: { code: string; text: string }) => `${code}: ${text}`),
    ]);
    assert.deepEqual(outcomes, [
      ['old', 'undone', []],
      ['free', 'undone', []],
      ['lived-in', 'kept', ['in-use: The location has residents.']],
      ['with-unit', 'kept', ['in-use: The location has units.']],
    ]);
    const exported = await exportRows(service, { kind: 'locations', bankId, token: manager.token });
    assert.deepEqual(
      exported.slice(1).map(([, name]) => name),
      ['Location 1', 'Lived in', 'With unit'],
    );
    const again = await importRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'name'],
        ['free', 'Free'],
      ],
    });
    assert.equal(again.items[0].objectKid, `${bankKid}-L5`);
  });

  test('[imports.44] a bank is taken back while it is empty, and its number is then free', async () => {
    const bankId = nextBankId();
    const number = String(bankId);
    const rows = [
      ['key', 'number', 'name', 'type'],
      [`key-${number}`, number, 'Mistaken', 'Rent'],
    ];
    const { kid } = await importRows(service, { kind: 'banks', token: manager.token, rows });
    const { kid: locationsKid } = await importRows(service, {
      kind: 'locations',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'name'],
        ['l', 'L'],
      ],
    });
    const kept = await undoImport(service, kid, manager.token);
    assert.equal(
      (await readRows(service, kid, manager.token))[0].errors[0].text,
      'The bank has locations.',
      kept.state,
    );
    await undoImport(service, locationsKid, manager.token);
    const second = await importRows(service, {
      kind: 'banks',
      token: manager.token,
      rows: [
        ['key', 'name', 'type'],
        [`other-${number}`, 'Next', 'Rent'],
      ],
    });
    const secondKid = second.items[0].objectKid as string;
    // The next free number is the next one of the suite, too.
    assert.equal(secondKid, `sund-B${nextBankId()}`);
    await undoImport(service, second.kid, manager.token);
    assert.equal(
      (await service.call('GET', `/api/v1/banks/${secondKid}/locations`, { token: manager.token })).status,
      404,
    );
    const third = await importRows(service, {
      kind: 'banks',
      token: manager.token,
      rows: [
        ['key', 'number', 'name', 'type'],
        [`third-${number}`, secondKid.slice('sund-B'.length), 'Third', 'Cash'],
      ],
    });
    assert.equal(third.items[0].objectKid, secondKid);
    const icons = await service.call('GET', '/api/v1/banks/icons?limit=100', { token: manager.token });
    assert.ok(
      icons.json.items.some((bank: Record<string, unknown>) => bank['kid'] === secondKid && bank['name'] === 'Third'),
    );
    assert.equal(
      (await service.call('GET', `/api/v1/banks/${secondKid}/account?period=0`, { token: manager.token })).status,
      200,
    );
  });

  test('[imports.45] a unit with settings is taken back, one that is in use is not', async () => {
    const { bankId } = await newBank({ 1: [] });
    const { kid } = await importRows(service, {
      kind: 'units',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'location', 'name', 'type'],
        ...[1, 2, 3].map((at) => [`u${at}`, 'Location 1', `U${at}`, 'washer']),
      ],
    });
    await service.write('sund', async (db) => {
      await insertSetting(db, { bankId, locationId: 1, unitId: 1 }, { name: 'Note', value: 'x' });
      await db
        .updateTable('units')
        .set({ computer_name: 'gateway' })
        .where('bank_id', '=', bankId)
        .where('unit_id', '=', 2)
        .execute();
      await db
        .insertInto('document_cycles')
        .values({ bank_id: bankId, location_id: 1, unit_id: 3, at: 1, document_id: 1, value: null })
        .execute();
    });
    await undoImport(service, kid, manager.token);
    assert.deepEqual(
      (await readRows(service, kid, manager.token)).map(({ outcome, errors }) => [outcome, errors[0]?.text]),
      [
        ['undone', undefined],
        ['kept', 'The unit has a computer.'],
        ['kept', 'The unit has documents.'],
      ],
    );
  });

  test('[imports.46] lists show changed places at once, and the audit log has what changed', async () => {
    const { bankId, bankKid } = await newBank({ 1: [1] });
    const version = () =>
      service.read('sund', (db) =>
        db.selectFrom('banks').select('places_version').where('bank_id', '=', bankId).executeTakeFirstOrThrow(),
      );
    const before = await version();
    await importRows(service, {
      kind: 'units',
      bankId,
      token: manager.token,
      rows: [
        ['key', 'kid', 'name', 'type', 'enabled'],
        ['u', `${bankKid}-L1-U1`, 'Door', 'door', 'false'],
      ],
    });
    assert.ok((await version()).places_version > before.places_version);
    const units = await service.call('GET', `/api/v1/locations/${bankKid}-L1/units`, { token: manager.token });
    assert.deepEqual(
      units.json.items.map(({ name, unitType, enabled }: Record<string, unknown>) => [name, unitType, enabled]),
      [['Door', 10, false]],
    );
    const entry = (await readAuditEntries(service)).find(({ object }) => object === `${bankKid}-L1-U1`);
    assert.equal(entry?.old_values, JSON.stringify({ name: '{washer} 1', type: 'washer', enabled: 'true' }));
    assert.equal(entry?.new_values, JSON.stringify({ name: 'Door', type: 'door', enabled: 'false' }));
  });

  test('[imports.47] a plan of places is stale when the place was changed since', async () => {
    const { bankId, bankKid } = await newBank({ 1: [1] });
    const rows = [
      ['key', 'kid', 'name'],
      ['l', `${bankKid}-L1`, 'New'],
    ];
    const { kid } = await planRows(service, { kind: 'locations', bankId, token: manager.token, rows });
    await service.write('sund', (db) =>
      db.updateTable('locations').set({ name: 'Other' }).where('bank_id', '=', bankId).execute(),
    );
    const { state } = await applyImport(service, kid, manager.token);
    assert.equal(state, 'failed');
    assert.equal((await readRows(service, kid, manager.token))[0].errors[0].code, 'stale');
  });

  test('[imports.48] imports of places need the permissions to create them, for the whole bank or tenant', async () => {
    const { bankId } = await newBank({ 1: [1] });
    const status = async (kind: string, options: Parameters<typeof issueToken>[0]): Promise<unknown> => {
      const bank = kind === 'banks' ? {} : { bankId };
      const reply = await sendRows(service, {
        kind,
        ...bank,
        token: await issueToken(options),
        rows: [['key', 'name']],
      });
      return reply.status === 202 ? 202 : reply.json.reason;
    };
    const grants = [{ bankId, locationId: 0 }];
    assert.equal(await status('banks', { grants }), 'too-narrow');
    assert.equal(await status('banks', { tabs: ['Users2'] }), 'missing-tab');
    assert.equal(await status('banks', { permissions: ['Bank.Read', 'Bank.Write'] }), 'missing-bank-create');
    assert.equal(await status('locations', { grants }), 202);
    assert.equal(await status('locations', { grants: [{ bankId, locationId: 1 }] }), 'too-narrow');
    assert.equal(
      await status('locations', { permissions: ['Bank.Read', 'Location.Read', 'Location.Write'] }),
      'missing-location-create',
    );
    assert.equal(
      await status('units', { permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'Unit.Write'] }),
      'missing-unit-create',
    );
  });
});
