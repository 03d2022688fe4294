// Profiles of files through HTTP: those that come with the service, those of a tenant in versions, and a trial of one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordAudit } from '../support/audit.ts';
import type { CallOptions } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { applyPlan, planFile } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const path = '/api/v1/import-profiles';

serviceSuite({ now: testNow, tenants: ['sund', 'fjord'] }, ({ service, manager, issueToken, nextBankId }) => {
  const createDocument = (name: string, change: object = {}) => ({
    name,
    kind: 'residents',
    format: 'csv',
    separator: ';',
    header: true,
    columns: [
      { field: 'key', from: 'Lejemål', trim: true },
      { field: 'name', from: 'Navn', trim: true },
      { field: 'phone', from: 'Telefon', phoneRegion: 'DK' },
    ],
    ...change,
  });
  const set = (
    name: string,
    document: unknown,
    { expectedRevision, ...options }: CallOptions & { readonly expectedRevision?: string } = {},
  ) =>
    service.call('PUT', `${path}/${name}`, {
      ...manager,
      ...options,
      body: { document, ...(expectedRevision === undefined ? {} : { expectedRevision }) },
    });
  const get = (name: string, options: CallOptions = manager) => service.call('GET', `${path}/${name}`, options);
  const tryFile = (name: string, file: string | Buffer, options: CallOptions = manager, query = '') =>
    service.call('POST', `${path}/${name}/try${query}`, {
      ...options,
      rawBody: file,
      headers: { 'content-type': 'text/csv' },
    });

  test('[profiles.02] a profile is stored in versions: a changed document is another one, the same document is not', async () => {
    const document = createDocument('own-versions');
    const { result: first, entries } = await recordAudit(service, () => set('own-versions', document));
    assert.deepEqual([first.status, first.json.version, first.json.revision], [200, 1, '1'], first.text);
    assert.deepEqual(
      entries.map(({ operation, object, new_values }) => [operation, object, JSON.parse(new_values ?? '{}')]),
      [['SetImportProfile', 'sund', { importProfile: 'own-versions', kind: 'residents', version: 1 }]],
    );
    const { result: same, entries: none } = await recordAudit(service, () =>
      set('own-versions', document, { expectedRevision: '1' }),
    );
    assert.deepEqual([same.json.version, none], [1, []]);
    const changed = createDocument('own-versions', { separator: ',' });
    const second = await set('own-versions', changed, { expectedRevision: '1' });
    assert.equal(second.json.version, 2);
    const read = await get('own-versions');
    assert.deepEqual(read.json, {
      name: 'own-versions',
      kind: 'residents',
      version: 2,
      builtIn: false,
      document: changed,
      revision: '2',
    });
    const { items } = (await service.call('GET', path, manager)).json;
    const names = items.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, names.toSorted());
    assert.deepEqual(
      items.filter(({ name }: { name: string }) => ['own-versions', 'danish-residents'].includes(name)),
      [
        { name: 'danish-residents', kind: 'residents', version: null, builtIn: true },
        { name: 'own-versions', kind: 'residents', version: 2, builtIn: false },
      ],
    );
    const stored = await service.read('sund', (db) =>
      db.selectFrom('import_profiles').select(['version', 'document']).where('name', '=', 'own-versions').execute(),
    );
    assert.deepEqual(
      stored.map((row) => [row.version, JSON.parse(row.document)]),
      [
        [1, document],
        [2, changed],
      ],
    );
  });

  test('[profiles.03] every error of a document is named with its place, fields must be columns of the kind, and nothing is stored', async () => {
    const broken = await set('own-broken', {
      name: 'own-broken',
      kind: 'residents',
      format: 'txt',
      header: 1,
      columns: [],
    });
    assert.deepEqual([broken.status, broken.json.code], [400, 'invalid-request']);
    assert.deepEqual(
      broken.json.errors.map((error: { path: string }) => error.path),
      ['body.document.format', 'body.document.header', 'body.document.columns'],
    );
    const columns = [
      { field: 'tenancy', from: 'A' },
      { field: 'name', from: 'B' },
    ];
    const unknown = await set('own-broken', createDocument('own-broken', { columns }));
    assert.deepEqual(
      unknown.json.errors.map((error: { path: string }) => error.path),
      ['body.document.columns[0].field', 'body.document.columns'],
      unknown.text,
    );
    assert.match(unknown.json.errors[0].message, /is no column of residents: key, kid, name/);
    const renamed = await set('own-broken', createDocument('own-other'));
    assert.equal(renamed.json.errors[0].path, 'body.document.name');
    for (const name of ['danish-residents', 'portal']) {
      const builtIn = await set(name, createDocument(name));
      assert.deepEqual([builtIn.status, builtIn.json.errors[0].path], [400, 'body.document.name'], builtIn.text);
    }
    assert.equal((await set('own-broken', 'text')).status, 400);
    assert.equal((await set('Own', createDocument('Own'))).status, 400);
    assert.equal((await get('own-broken')).status, 404);
    // What cannot be imported yet has fields that the service does not know.
    const charges = createDocument('own-charges', { kind: 'charges', columns: [{ field: 'rent', from: 'Rent' }] });
    assert.equal((await set('own-charges', charges)).status, 200);
  });

  test('[profiles.04] a revision that is not the latest one, or none where there is a profile, is refused', async () => {
    const document = createDocument('own-stale');
    assert.equal((await set('own-stale', document, { expectedRevision: '1' })).json.code, 'import-profile-conflict');
    assert.equal((await set('own-stale', document)).status, 200);
    const changed = createDocument('own-stale', { separator: ',' });
    for (const expectedRevision of [undefined, '2', '']) {
      const reply = await set('own-stale', changed, expectedRevision === undefined ? {} : { expectedRevision });
      assert.deepEqual([reply.status, reply.json.code], [409, 'import-profile-conflict'], reply.text);
    }
    assert.equal((await get('own-stale')).json.version, 1);
  });

  test('a tenant has 200 profiles of its own at most', async () => {
    await service.write('sund', async (db) => {
      for (let at = 0; at < 200; at += 1)
        await db
          .insertInto('import_profiles')
          .values({ name: `many-${at}`, version: 1, kind: 'x', document: '{}', created_at: 0, created_by: null })
          .execute();
    });
    const refused = await set('own-last', createDocument('own-last'));
    assert.deepEqual([refused.status, refused.json.code], [422, 'too-many-profiles']);
    await service.write('sund', (db) => db.deleteFrom('import_profiles').where('name', 'like', 'many-%').execute());
    assert.equal((await set('own-last', createDocument('own-last'))).status, 200);
  });

  test('[profiles.05] who reads a bank reads and tries profiles; only who may change all residents stores one', async () => {
    await set('own-rights', createDocument('own-rights'));
    const bank = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] }) };
    const place = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 1 }] }) };
    const reader = { token: await issueToken({ permissions: ['Bank.Read'] }) };
    const writer = { token: await issueToken({ permissions: ['Bank.Read', 'User.Write'] }) };
    const document = createDocument('own-rights');
    const expected = [
      [bank, 200, 403],
      [place, 403, 403],
      [reader, 200, 403],
      [writer, 200, 403],
      [{}, 401, 401],
    ] as const;
    for (const [options, readStatus, writeStatus] of expected) {
      assert.equal((await get('own-rights', { token: undefined, ...options })).status, readStatus);
      assert.equal((await service.call('GET', path, { token: undefined, ...options })).status, readStatus);
      assert.equal((await tryFile('own-rights', 'Lejemål;Navn;Telefon\r\n', options)).status, readStatus);
      const reply = await set('own-rights', document, { token: undefined, expectedRevision: '1', ...options });
      assert.equal(reply.status, writeStatus, reply.text);
    }
    // Another tenant has profiles of its own.
    const other = { token: await issueToken({ tenant: 'fjord' }), host: 'api.fjord.localhost' };
    assert.equal((await get('own-rights', other)).status, 404);
    assert.equal((await get('danish-residents', other)).status, 200);
  });

  test('[profiles.06] a trial shows what was detected, and the first 20 rows as fields or errors', async () => {
    await set('own-trial', createDocument('own-trial'));
    const lines = Array.from({ length: 30 }, (_, at) => `${at};Person ${at};${at === 1 ? 'none' : '20 12 34 56'}\r\n`);
    const file = Buffer.from(`Lejemål;Navn;Telefon\r\n${lines.join('')}`, 'latin1');
    const { json, status, text } = await tryFile('own-trial', file);
    assert.equal(status, 200, text);
    assert.deepEqual(json.detected, {
      format: 'csv',
      encoding: 'windows-1252',
      separator: ';',
      decimalComma: null,
      columns: ['key', 'name', 'phone'],
      ignoredColumns: [],
    });
    assert.equal(json.rows.length, 20);
    assert.deepEqual(json.rows[0], {
      line: 2,
      fields: [
        { field: 'key', value: '0' },
        { field: 'name', value: 'Person 0' },
        { field: 'phone', value: '+4520123456' },
      ],
      errors: [],
    });
    assert.deepEqual(
      json.rows[1].errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [['phone', 'not-a-phone']],
    );
    assert.equal(json.failure, null);
    const unreadable = await tryFile('own-trial', 'Lejemål;Navn;Navn\r\n1;2;3\r\n');
    assert.deepEqual([unreadable.json.failure.code, unreadable.json.rows], ['repeated-column', []], unreadable.text);
    assert.equal((await tryFile('own-trial', '')).json.failure.code, 'empty-file');
    assert.equal((await tryFile('own-missing', file)).status, 404);
    assert.equal((await tryFile('own-trial', file, manager, '?encoding=ebcdic')).status, 400);
    const json415 = await service.call('POST', `${path}/own-trial/try`, { ...manager, body: {} });
    assert.equal(json415.status, 415);
  });

  test('[profiles.06] of a long file only the beginning is read, up to the end of a line', async () => {
    await set('own-long', createDocument('own-long', { separator: ',', format: 'csv' }));
    // A letter of two octets stands across the end of what is read: it must not change what the encoding is.
    const line = `1,${'å'.repeat(4000)},\r\n`;
    for (const key of ['1', '12']) {
      const file = `Lejemål,Navn,Telefon\r\n${line.replace('1', key).repeat(40)}`;
      const { json } = await tryFile('own-long', file);
      assert.equal(json.detected.encoding, 'utf-8');
      assert.ok(json.rows.length > 0 && json.rows.length < 20);
      assert.ok(json.rows.every(({ errors }: { errors: unknown[] }) => errors.length === 0));
    }
    assert.equal((await tryFile('own-long', Buffer.alloc(1024 ** 2 + 1, 120))).status, 413);
  });

  test('an import reads a file by the profile of the tenant, and its keys are those of the profile', async () => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    await set('own-system', createDocument('own-system'));
    const query = { profile: 'own-system' };
    const file = 'Lejemål;Navn;Telefon\r\n101-2;Åse Example;20 12 34 56\r\n';
    const planned = await planFile(service, file, { ...manager, kind: 'residents', bankId, query });
    assert.deepEqual([planned.source, planned.counts.create], ['own-system', 1]);
    assert.equal((await applyPlan(service, planned, manager)).state, 'applied');
    const again = await planFile(service, file, { ...manager, kind: 'residents', bankId, query });
    assert.equal(again.counts.unchanged, 1);
  });

  test('an export of residents is read by the profile residents-export as it is', async () => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    const user = { name: '=Demo', email: 'demo@example.org', locationKid: `sund-B${bankId}-L1` };
    const created = await service.call('POST', `/api/v1/banks/sund-B${bankId}/users`, { ...manager, body: user });
    assert.equal(created.status, 201, created.text);
    const { text } = await service.call('GET', `/api/v1/banks/sund-B${bankId}/users/export.csv`, manager);
    const query = { profile: 'residents-export' };
    const planned = await planFile(service, text, { ...manager, kind: 'residents', bankId, query });
    // Only its key is new.
    assert.deepEqual([planned.counts.update, planned.counts.refused], [1, 0], text);
    const { items } = (await service.call('GET', `/api/v1/imports/${planned.kid}/rows`, manager)).json;
    assert.deepEqual(
      items[0].changes.map(({ field }: { field: string }) => field),
      ['key'],
    );
  });

  test('without storage no profile is read or stored, and 503 is answered', async () => {
    for (const ask of [() => get('own-x'), () => set('own-x', createDocument('own-x')), () => tryFile('own-x', 'a')]) {
      const reply = await callWithoutStorage(service, ask, 'import_profiles');
      assert.equal(reply.status, 503, reply.text);
    }
  });
});
