// Idempotency-Key at a real write: a reversal that is sent twice is made once and answered twice.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { Databases } from '../../src/database/databases.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { insertTestBank, insertTestResident, createToken, setTenantSetting } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { createDeferred } from '../support/async.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readLedgerRows, reverseEntry, readPostings } from '../support/reversal.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, clock }) => {
  let lastKey = 0;
  before(async () => {
    await service.write('sund', async (db) => {
      await setTenantSetting(db, 'accountingRetentionDays', '400');
      await insertTestBank(db);
      await insertTestResident(db, 1001);
    });
  });

  const newKey = (): string => `reversal-${++lastKey}`;
  const one = (): Promise<number> =>
    service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(1001), [postingDraft(clock.now, { internalTag: 1 })]),
    );
  type Options = { key: string; as?: string; query?: string; language?: string; body?: unknown };
  const send = (id: number, { key, as = manager.token, query = '', language, body }: Options): Promise<HttpReply> => {
    const headers = { 'idempotency-key': key, ...(language === undefined ? {} : { 'accept-language': language }) };
    return reverseEntry(service, id, { token: as, query, headers, ...(body === undefined ? {} : { body }) });
  };
  const postings = async (): Promise<number> => (await readPostings(service)).length;

  test('[general.46] every write of managers, except those of sessions, passwords, API keys and codes, accepts a key of 1 to 128 visible ASCII characters; any other key is 400', async () => {
    const writes = createOperations(service.dependencies).operations.filter(({ method }) => method !== 'GET');
    const without = writes.filter(
      (operation) =>
        !operation.openApiDocuments.includes('equipment') &&
        (!isManagerOperation(operation) || operation.acceptsIdempotencyKey !== true),
    );
    assert.deepEqual(without.map(({ id }) => id).toSorted(), [
      'ChangeMyManagerPassword',
      'CreateComputer',
      'CreateImport',
      'GenerateServiceApiKey',
      'LoginManager',
      'LogoutManager',
      'RenewComputerCode',
      'SetServiceProfileField',
      'SetServiceReadAccess',
      'TryImportProfile',
    ]);
    const id = await one();
    const known = await readLedgerRows(service);
    for (const key of ['', ' ', 'two words', 'x'.repeat(129), 'nøgle', 'tab\there']) {
      const { status, json } = await send(id, { key });
      assert.deepEqual([status, json.code], [400, 'invalid-idempotency-key'], JSON.stringify(key));
    }
    assert.deepEqual(await readLedgerRows(service), known);
    for (const key of ['!', 'x'.repeat(128), '~"{}']) assert.equal((await send(await one(), { key })).status, 200, key);
  });

  test('[general.47] for 24 hours the same request with its key gets the first answer again, and appends nothing', async () => {
    const [id, key] = [await one(), newKey()];
    const first = await send(id, { key, language: 'da' });
    assert.deepEqual([first.status, isReplay(first), first.json.unitName], [200, false, 'Vaskemaskine 1']);
    const count = await postings();
    for (const later of [0, 1, 24 * hourMs - 1]) {
      clock.now = testNow + later;
      const again = await send(id, { key, language: 'en' });
      assert.deepEqual([again.status, again.text, isReplay(again)], [200, first.text, true]);
      assert.equal(again.headers['content-language'], 'da', 'the first answer, in its language');
    }
    assert.equal((await reverseEntry(service, id, manager)).status, 409, 'without the key it is another request');
    clock.now = testNow + 24 * hourMs;
    const over = await send(id, { key });
    assert.deepEqual([over.status, over.json.code, isReplay(over)], [409, 'already-reversed', false]);
    clock.now = testNow;
    assert.equal(await postings(), count);
  });

  test('[general.47] another manager’s key is another key', async () => {
    const [id, key] = [await one(), newKey()];
    const { token: as } = await createToken(service);
    const first = await send(id, { key });
    const other = await send(id, { key, as });
    assert.deepEqual([other.status, other.json.code], [409, 'already-reversed']);
    assert.equal((await send(id, { key })).text, first.text);
  });

  test('[general.48] the same key for another entry, query or body is 422, and does nothing', async () => {
    const [id, other, key] = [await one(), await one(), newKey()];
    await send(id, { key });
    const known = await readLedgerRows(service);
    for (const reply of [
      await send(other, { key }),
      await send(id, { key, query: '?dryRun=true' }),
      await send(id, { key, query: '?dryRun=false' }),
      await send(id, { key, body: {} }),
    ])
      assert.deepEqual([reply.status, reply.json.code], [422, 'idempotency-mismatch']);
    assert.deepEqual(await readLedgerRows(service), known);
  });

  test('[general.48] while the first request still runs the same key is 409 or waits for its answer, and afterwards gets it', async () => {
    const [id, key] = [await one(), newKey()];
    const [written, finish] = [createDeferred(), createDeferred()];
    const { databases } = service.dependencies;
    const held: Databases = {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        write: (options, work) =>
          databases.forTenant(tenant).write(options, async (db) => {
            const result = await work(db);
            written.resolve();
            await finish.promise;
            return result;
          }),
      }),
    };
    const slow = await startInstance(service, { databases: held });
    const sendSlowly = () => reverseEntry(slow, id, { token: manager.token, headers: { 'idempotency-key': key } });
    const first = sendSlowly();
    await written.promise;
    const { status, json, headers } = await sendSlowly();
    assert.deepEqual([status, json.code, headers['retry-after']], [409, 'idempotency-in-progress', '1']);
    const elsewhere = send(id, { key });
    finish.resolve();
    const { status: done, text } = await first;
    assert.equal(done, 200);
    const waited = await elsewhere;
    assert.deepEqual([waited.status, waited.text, isReplay(waited)], [200, text, true]);
    const again = await send(id, { key });
    assert.deepEqual([again.status, again.text, isReplay(again)], [200, text, true]);
    await slow.stop();
  });

  test('[general.47, reversal.13] fifty equal requests with one key make one reversal, and no other answer than its own', async () => {
    const [id, key] = [await one(), newKey()];
    const count = await postings();
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(id, { key })));
    const made = replies.filter((reply) => reply.status === 200 && !isReplay(reply));
    assert.equal(made.length, 1);
    for (const { status, text, json } of replies)
      assert.ok(status === 200 ? text === made[0]?.text : json.code === 'idempotency-in-progress', `${status} ${text}`);
    assert.equal(await postings(), count + 1);
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });

  test('[general.47] a refusal and a dry run are not stored: the key can be used again', async () => {
    const [id, key] = [await one(), newKey()];
    assert.equal((await send(id, { key, query: '?dryRun=true' })).status, 200);
    assert.equal((await send(id, { key, query: '?dryRun=true' })).headers['idempotency-replayed'], undefined);
    assert.equal((await send(999_999, { key })).status, 404);
    const made = await send(id, { key });
    assert.deepEqual([made.status, isReplay(made)], [200, false]);
    const refused = newKey();
    for (let times = 0; times < 2; times += 1) {
      const again = await send(id, { key: refused });
      assert.deepEqual([again.status, again.json.code, isReplay(again)], [409, 'already-reversed', false]);
    }
  });

  test('[general.47] a replay is refused to a manager who has lost the right to the operation', async () => {
    const [id, key] = [await one(), newKey()];
    const { token: as, managerId } = await createToken(service);
    assert.equal((await send(id, { key, as })).status, 200);
    await service.write('sund', (db) => db.deleteFrom('sessions').where('manager_id', '=', managerId).execute());
    const replica = await startInstance(service);
    const again = await reverseEntry(replica, id, { token: as, headers: { 'idempotency-key': key } });
    assert.equal(again.status, 401);
    await replica.stop();
  });

  test('[general.49] login and logout accept no key: any value of the header is ignored', async () => {
    const { token: as } = await createToken(service);
    const key = { 'idempotency-key': newKey() };
    const login = (headers: Record<string, string>) =>
      service.call('POST', '/api/v1/session/login', { headers, body: { userName: 'x', password: 'y' } });
    for (const headers of [key, key, { 'idempotency-key': '' }]) {
      const { status, json, headers: told } = await login(headers);
      assert.deepEqual([status, json.code, told['idempotency-replayed']], [401, 'invalid-credentials', undefined]);
    }
    const logout = () => service.call('POST', '/api/v1/session/logout', { token: as, headers: key });
    assert.deepEqual([(await logout()).status, (await logout()).status], [204, 401]);
  });
});
