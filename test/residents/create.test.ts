// CreateBankUser: what is accepted, what is refused, and what is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createUser,
  executeUserCommand,
  getActivation,
  getWorkspace,
  type NewUser,
} from '../support/resident-calls.ts';
import { createBankOfResidents, readHistory, readQueuedLocations, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  async function createBank(...residents: Parameters<typeof createBankOfResidents>[2][]) {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents[0] ?? []);
    return { bankId, token: manager.token };
  }
  const readRows = (bankId: number) => service.read('sund', (db) => readTableRows(db, residentTables, bankId));

  test('[residents.13, residents.25] a new resident has the next id, and is answered as a workspace with its Location', async () => {
    const options = await createBank([{}, {}]);
    const { bankId } = options;
    const user = {
      name: ' Åse  Lund ',
      email: 'Ase.Lund@example.org',
      phone: '12 34 56 78',
      language: 'da',
      apartment: '2. tv',
      locationKid: `sund-B${bankId}-L2`,
    };
    const created = await createUser(service, user, options);
    assert.equal(created.status, 201, created.text);
    const kid = `sund-B${bankId}-R1003`;
    assert.equal(created.headers.location, `/api/v1/banks/sund-B${bankId}/users/${kid}`);
    const { user: item, commands: _, ...rest } = created.json;
    assert.deepEqual(item, {
      kid,
      name: 'Åse  Lund',
      email: user.email,
      phone: user.phone,
      apartment: user.apartment,
      locationKid: user.locationKid,
      locationName: 'Location 2',
      state: 'active',
      language: 'da',
      iconKid: 'person',
      balances: [],
      lastActivityUtc: null,
      revision: '1',
    });
    assert.deepEqual(rest, {
      language: 'da',
      keys: [],
      flags: ['ActivationPending'],
      upcomingBookings: [],
      revision: '1',
    });
    const read = await service.call('GET', created.headers.location ?? '', manager);
    assert.deepEqual([read.status, read.json], [200, created.json]);
    assert.equal((await getActivation(service, 1003, options)).status, 200);
    const [record, ...others] = await readHistory(service, bankId);
    assert.deepEqual(
      { ...record },
      {
        bank_id: bankId,
        resident_id: 1003,
        revision: 1,
        changed_at: testNow,
        editor_id: manager.managerId,
        command: 'Create',
        old_value: null,
        new_value: 'Åse  Lund',
      },
    );
    assert.equal(others.length, 0);
    assert.deepEqual(await readQueuedLocations(service, bankId), [[1003, 2]]);
  });

  test('[residents.13] a name is enough: everything else is empty, and the language English', async () => {
    const options = await createBank();
    for (const [at, user] of [{}, { locationKid: null, email: '', phone: '' }].entries()) {
      const { status, json } = await createUser(service, user, options);
      assert.equal(status, 201);
      const unknown = { email: '', phone: '', apartment: '', locationKid: null, locationName: '' };
      assert.partialDeepStrictEqual(json, { user: { kid: `sund-B${options.bankId}-R${1001 + at}`, ...unknown } });
      assert.equal(json.language, 'en');
    }
    assert.deepEqual(await readQueuedLocations(service, options.bankId), [
      [1001, 0],
      [1002, 0],
    ]);
  });

  test('[residents.14] each field that is wrong is 400 invalid-user, named, and nothing is stored', async () => {
    const options = await createBank([{}]);
    const { bankId } = options;
    await service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 2)
        .execute(),
    );
    const before = await readRows(bankId);
    const wrong: [path: string, user: NewUser][] = [
      ...['', ' ', 'x'.repeat(201), 'a\nb', 7, null, ['Ada']].map(
        (name) => ['body.name', { name }] as [string, NewUser],
      ),
      ...['ada', 'ada@example', 'a b@example.org', 5].map((email) => ['body.email', { email }] as [string, NewUser]),
      ...['1', 'call me', '+999 1', 5].map((phone) => ['body.phone', { phone }] as [string, NewUser]),
      ...['', 'xx', 'DA', null].map((language) => ['body.language', { language }] as [string, NewUser]),
      ...['x'.repeat(65), 'a\0b', 5].map((apartment) => ['body.apartment', { apartment }] as [string, NewUser]),
      ...['L1', `sund-B${bankId}`, `sund-B${bankId}-L9`, `sund-B${bankId}-L2`, `fjord-B${bankId}-L1`, 5].map(
        (locationKid) => ['body.locationKid', { locationKid }] as [string, NewUser],
      ),
      ['body.locationKid', { locationKid: `sund-B${bankId - 1}-L1` }],
      ...[['x'], ['Card:'], [''], ['1234', 'a b c']].map(
        (keys) => [`body.keys.${keys.length - 1}`, { keys }] as [string, NewUser],
      ),
      ['body.keys.0', { keys: [1234] }],
      ...['1234', null, Array.from({ length: 21 }, (_, at) => `100${at}`), ['04:A2:1B', 'Card:04a21b']].map(
        (keys) => ['body.keys', { keys }] as [string, NewUser],
      ),
    ];
    for (const [path, user] of wrong) {
      const { status, json } = await createUser(service, user, options);
      assert.deepEqual([status, json.code], [400, 'invalid-user'], JSON.stringify(user));
      assert.ok(
        json.errors?.some((error) => error.path === path),
        `${path}: ${JSON.stringify(json)}`,
      );
    }
    for (const body of [{}, [], 'Ada', null, { name: 'Ada', isAdmin: true }, { name: 'Ada', pin: '1234' }]) {
      const { status, json } = await service.call('POST', `/api/v1/banks/sund-B${bankId}/users`, {
        token: manager.token,
        body,
      });
      assert.deepEqual([status, json.code], [400, 'invalid-user'], JSON.stringify(body));
    }
    assert.deepEqual(await readRows(bankId), before);
  });

  test('[residents.26] a new resident has the keys that are given, is found by them, and one that somebody else has is 409', async () => {
    const options = await createBank();
    const { bankId } = options;
    const keys = ['04:a2:1b:33', 'Card:12 345'];
    const { status, json, text } = await createUser(service, { keys }, options);
    assert.equal(status, 201, text);
    assert.deepEqual(json.keys.map(({ key, kind }) => `${kind}:${key}`).toSorted(), ['Card:12345', 'Tag:04A21B33']);
    const found = await service.call('GET', `/api/v1/banks/sund-B${bankId}/users?filter=04A21B33`, manager);
    assert.deepEqual(
      found.json.items.map(({ kid }: { kid: string }) => kid),
      [json.user.kid],
    );
    const before = await readRows(bankId);
    const taken = await createUser(service, { keys: ['9999', '12345'] }, options);
    assert.deepEqual([taken.status, taken.json.code], [409, 'key-exists']);
    assert.deepEqual(await readRows(bankId), before);
    const removed = await executeUserCommand(service, 1001, { command: 'RemoveKey', value: '04A21B33' }, options);
    assert.equal(removed.status, 200, removed.text);
  });

  test('[residents.14] an email address that a resident of the bank has, in whatever case, is 409 user-exists', async () => {
    const options = await createBank([{ email: 'ada@example.org' }, { enabled: 0, email: 'Bo@Example.org' }]);
    const before = await readRows(options.bankId);
    for (const email of ['ada@example.org', 'ADA@EXAMPLE.ORG', 'bo@example.org']) {
      const { status, json } = await createUser(service, { email }, options);
      assert.deepEqual([status, json.code], [409, 'user-exists'], email);
    }
    assert.deepEqual(await readRows(options.bankId), before);
    const other = await createBank();
    assert.equal((await createUser(service, { email: 'ada@example.org' }, other)).status, 201);
    for (let at = 0; at < 2; at += 1) assert.equal((await createUser(service, { email: '' }, options)).status, 201);
  });

  test('[residents.14] the email address of a deleted or expired resident is free', async () => {
    const options = await createBank([
      { email: 'ada@example.org', deleted_at: testNow },
      { email: 'bo@example.org', expired_at: testNow },
      { email: 'cid@example.org' },
    ]);
    for (const email of ['Ada@example.org', 'bo@example.org'])
      assert.equal((await createUser(service, { email }, options)).status, 201);
    assert.equal((await createUser(service, { email: 'cid@example.org' }, options)).status, 409);
    assert.equal((await executeUserCommand(service, 1003, { command: 'Delete' }, options)).status, 200);
    assert.equal((await createUser(service, { email: 'cid@example.org' }, options)).status, 201);
  });

  test('[residents.25] the last id is 99999; then the bank is full, and every creation is refused', async () => {
    const options = await createBank([{ resident_id: 99_998, email: 'ada@example.org' }]);
    const last = await createUser(service, {}, options);
    assert.deepEqual([last.status, last.json.user.kid], [201, `sund-B${options.bankId}-R99999`]);
    const before = await readRows(options.bankId);
    for (const user of [{}, { email: 'ada@example.org' }, {}]) {
      const { status, json } = await createUser(service, user, options);
      assert.deepEqual([status, json.code], [422, 'bank-full']);
    }
    assert.deepEqual(await readRows(options.bankId), before);
    assert.equal((await getWorkspace(service, 99_999, options)).status, 200);
  });

  test('[residents.25] an id is never given twice, even after its resident is erased, and a refused request uses none', async () => {
    const options = await createBank();
    const nextId = async (user = {}) => Number((await createUser(service, user, options)).json.user.kid.split('-R')[1]);
    assert.equal(await nextId({ email: 'ada@example.org' }), 1001);
    assert.equal((await createUser(service, { email: 'ada@example.org' }, options)).status, 409);
    assert.equal(await nextId(), 1002);
    await executeUserCommand(service, 1002, { command: 'Delete' }, options);
    await service.write('sund', (db) =>
      db.deleteFrom('residents').where('bank_id', '=', options.bankId).where('resident_id', '=', 1002).execute(),
    );
    assert.equal(await nextId(), 1003);
  });
});
