// What a manager without the rights to read residents cannot see, and what repeated requests answer.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { anonymise } from '../../src/commands/tenants/anonymise.ts';
import { createUser, executeUserCommand, getWorkspace, userPath, usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, type ResidentDraft } from '../support/resident-rows.ts';
import { createHashCounter } from '../support/password-hashing.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, nextBankId, issueToken }) => {
  async function createBank(...residents: ResidentDraft[]) {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents);
    return { bankId, token: manager.token };
  }
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('[residents.02, residents.17] a manager who can change residents but not read them sees none: 403', async () => {
    const { bankId } = await createBank({ apartment: '1' });
    const grants = [{ bankId, locationId: 0 }];
    const permissions = ['User.Write', 'User.Create'] as const;
    const token = await issueToken({ tabs: ['Users2'], permissions, grants });
    const replies = [
      await createUser(service, {}, { bankId, token }),
      await executeUserCommand(service, 1001, { command: 'SetApartment', value: '1' }, { bankId, token }),
      await executeUserCommand(service, 1001, { command: 'RenewActivation' }, { bankId, token }),
    ];
    for (const { status, json } of replies) assert.deepEqual([status, json.reason], [403, 'missing-bank-read']);
  });

  test('[general.47] a repeated Delete gets the first answer, also for a manager who sees no deleted residents', async () => {
    const options = { ...(await createBank({})), ...withKey('delete') };
    const [first, again] = [
      await executeUserCommand(service, 1001, { command: 'Delete' }, options),
      await executeUserCommand(service, 1001, { command: 'Delete' }, options),
    ];
    assert.deepEqual([first.status, again.status, isReplay(again)], [200, 200, true]);
    assert.equal(again.text, first.text);
    const anew = await executeUserCommand(
      service,
      1001,
      { command: 'Delete', expectedRevision: '2' },
      { ...options, headers: {} },
    );
    assert.deepEqual([anew.status, anew.json.code], [404, 'not-found']);
  });

  test('the stored hash of a request with a PIN does not reveal the PIN to a brute-force search', async () => {
    const options = { ...(await createBank({})), ...withKey('pin') };
    const command = { command: 'SetPin', value: '4711' };
    assert.equal((await executeUserCommand(service, 1001, command, options)).status, 200);
    const [record] = await service.read('sund', (db) =>
      db.selectFrom('idempotency_records').select('request_hash').where('key', '=', 'pin').execute(),
    );
    const path = `${userPath(1001, options.bankId)}/commands/SetPin`;
    const text = JSON.stringify(['POST', path, '', { expectedRevision: '1', value: '4711' }]);
    assert.notEqual(record?.request_hash, createHash('sha256').update(text).digest('hex'));
    assert.ok(isReplay(await executeUserCommand(service, 1001, command, options)));
    const other = await executeUserCommand(service, 1001, { ...command, value: '4712' }, options);
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency-mismatch']);
  });

  test('a PIN is hashed only for a request that rights, object and revision allow', async () => {
    const options = await createBank({});
    const hashes = createHashCounter();
    after(hashes.stop);
    const limited = await issueToken({ grants: [{ bankId: options.bankId, locationId: 1 }] });
    const setPin = (
      id: number,
      key: string,
      change: { expectedRevision?: string; value?: string } = {},
      token?: string,
    ) =>
      executeUserCommand(
        service,
        id,
        { command: 'SetPin', value: '5713', ...change },
        { ...options, ...withKey(key), token: token ?? options.token },
      );
    const cases: [code: string | undefined, hashes: number, send: () => ReturnType<typeof setPin>][] = [
      ['not-found', 0, () => setPin(1099, 'missing')],
      ['forbidden', 0, () => setPin(1001, 'narrow', {}, limited)],
      ['user-conflict', 0, () => setPin(1001, 'stale', { expectedRevision: '7' })],
      // The one is stored as the PIN's hash, the other one as that of the request.
      [undefined, 2, () => setPin(1001, 'set')],
      [undefined, 1, () => setPin(1001, 'set')],
      ['idempotency-mismatch', 1, () => setPin(1001, 'set', { value: '4861' })],
      ['user-conflict', 0, () => setPin(1001, 'again')],
    ];
    for (const [at, [code, expected, send]] of cases.entries()) {
      let reply: Awaited<ReturnType<typeof setPin>> | undefined;
      const counted = await hashes.countDuring(async () => (reply = await send()));
      assert.deepEqual([reply?.json.code, counted], [code, expected], `${at}`);
    }
  });

  test('residents who had one email address before it had to be unique can be changed as they are', async () => {
    const { bankId, token } = await createBank({ email: 'both@example.org' }, { email: '' });
    await service.write('sund', (db) =>
      db.updateTable('residents').set({ email: 'both@example.org' }).where('bank_id', '=', bankId).execute(),
    );
    for (const command of [
      { command: 'SetApartment', value: '2' },
      { command: 'Disable', expectedRevision: '2' },
    ])
      assert.equal((await executeUserCommand(service, 1002, command, { bankId, token })).status, 200, command.command);
    const taken = await executeUserCommand(
      service,
      1002,
      { command: 'SetEmail', value: 'BOTH@example.org', expectedRevision: '3' },
      { bankId, token },
    );
    assert.deepEqual([taken.status, taken.json.code], [409, 'user-exists']);
  });

  test('[residents.14] an address is the same with its domain in Unicode and in ASCII, and while an identity is about to expire', async () => {
    const options = await createBank({ email: 'soon@example.org', expired_at: testNow + 1 });
    assert.equal((await createUser(service, { email: 'a@exämple.org' }, options)).status, 201);
    for (const email of ['a@xn--exmple-cua.org', 'A@EXÄMPLE.org', 'soon@example.org'])
      assert.equal((await createUser(service, { email }, options)).json.code, 'user-exists', email);
  });

  test('keys and phone numbers are found as they are shown and as they were typed', async () => {
    const options = await createBank({ phone: '000-0012' });
    const key = { command: 'AddKey', value: '04:A2:1B:33' };
    assert.equal((await executeUserCommand(service, 1001, key, options)).status, 200);
    for (const filter of ['000-0012', '0000012', '04:A2:1B:33', '04a21b33', '04 A2 1B']) {
      const { json } = await service.call(
        'GET',
        `${usersPath(options.bankId)}?filter=${encodeURIComponent(filter)}`,
        manager,
      );
      assert.equal(json.items.length, 1, filter);
    }
    assert.equal((await getWorkspace(service, 1001, options)).json.keys[0]?.key, '04A21B33');
  });
});

// The command has the machine's clock.
serviceSuite({}, ({ service, manager, nextBankId }) => {
  test('the stored answer about an erased resident is deleted, and its key stays used', async () => {
    const [bankId, { token }] = [nextBankId(), manager];
    await createBankOfResidents(service, bankId, []);
    const create = (key: string) =>
      createUser(service, { email: 'gone@example.org' }, { bankId, token, headers: { 'idempotency-key': key } });
    assert.equal((await create('create')).status, 201);
    assert.equal((await executeUserCommand(service, 1001, { command: 'Delete' }, { bankId, token })).status, 200);
    await anonymise(service.dependencies.config, { tenant: ['sund'], allDeleted: true });
    const again = await create('create');
    assert.deepEqual([again.status, again.json.code], [503, 'storage-outcome-unknown']);
    const records = await service.read('sund', (db) => db.selectFrom('idempotency_records').select('body').execute());
    assert.ok(!JSON.stringify(records).includes('gone@example.org'));
  });
});
