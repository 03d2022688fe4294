// GenerateServiceApiKey: the key is shown once, stored as a hash, and logs nobody in.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseApiKey } from '../../src/features/services/rules/api-key.ts';
import { insertTestManager } from '../support/factories.ts';
import { createHashCounter } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  generateApiKey,
  getService,
  readServiceContent,
  readServiceRecord,
  setServiceField,
} from '../support/services.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  test('[services.26, services.33, services.34] a key begins with kt_, is answered once, and is stored only as a hash', async () => {
    const reply = await generateApiKey(service, 'Mailer', manager);
    assert.equal(reply.status, 200, reply.text);
    const { apiKey, service: detail } = reply.json;
    assert.equal(parseApiKey(apiKey), 3);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.partialDeepStrictEqual(detail, { hasApiKeyHash: true, canEdit: true, profileRevision: '2' });
    const { row, history, audit } = await readServiceRecord(service, 'Mailer');
    assert.equal(row.api_key_hash, detail.apiKeyHash);
    assert.equal(row.api_key_environment, 'production');
    assert.ok(await service.dependencies.passwordHasher.verify(apiKey, row.api_key_hash ?? ''));
    assert.deepEqual(history, [
      {
        service_id: 3,
        revision: 2,
        changed_at: testNow,
        editor_id: manager.managerId,
        field: 'ApiKeyHash',
        old_value: null,
        new_value: null,
      },
    ]);
    const recorded = { operation: 'GenerateServiceApiKey', actor_id: manager.managerId };
    assert.deepEqual(audit, [{ ...recorded, old_values: null, new_values: '{"ApiKeyHash":"changed"}' }]);
    assert.ok(!(await readEverything()).includes(apiKey));
    const read = await getService(service, 'Mailer', manager);
    assert.deepEqual(read.json, detail);
    const reader = await issueToken({ permissions: ['Service.Read'] });
    assert.ok(!(await getService(service, 'Mailer', { token: reader })).text.includes('argon2id'));
  });

  test('a key is hashed only for a request that knows the revision', async () => {
    const hashes = createHashCounter();
    after(hashes.stop);
    const generate = (expectedRevision: string) => () =>
      generateApiKey(service, 'Bookings', { ...manager, expectedRevision });
    assert.equal(await hashes.countDuring(generate('7')), 0);
    assert.equal(await hashes.countDuring(generate('1')), 1);
  });

  /** Every row of the tables that a write could leave something in. */
  async function readEverything(): Promise<string> {
    const tables = ['services', 'service_history', 'audit_entries', 'idempotency_records', 'sessions'] as const;
    const rows = await service.read('sund', async (db) => {
      const found = [];
      for (const table of tables) found.push(await db.selectFrom(table).selectAll().execute());
      return found;
    });
    return JSON.stringify(rows);
  }

  test('a new key replaces the previous one, and a write of the profile does not change it', async () => {
    const first = await generateApiKey(service, 'Gateway', manager);
    const second = await generateApiKey(service, 'Gateway', { ...manager, expectedRevision: '2' });
    assert.notEqual(first.json.apiKey, second.json.apiKey);
    await setServiceField(service, 'Gateway', 'Name', 'Door', { ...manager, expectedRevision: '3' });
    const { row } = await readServiceRecord(service, 'Gateway');
    const { passwordHasher } = service.dependencies;
    assert.ok(await passwordHasher.verify(second.json.apiKey, row.api_key_hash ?? ''));
    assert.ok(!(await passwordHasher.verify(first.json.apiKey, row.api_key_hash ?? '')));
  });

  test('[services.33] expectedRevision is the profileRevision: a stale one creates no key', async () => {
    await setServiceField(service, 'Payments', 'Name', 'Money', manager);
    const stored = await readServiceContent(service, 'Payments');
    for (const expectedRevision of ['1', '', '3']) {
      const { status, json } = await generateApiKey(service, 'Payments', { ...manager, expectedRevision });
      assert.deepEqual([status, json.code], [409, 'service-profile-conflict']);
    }
    assert.deepEqual(await readServiceContent(service, 'Payments'), stored);
  });

  test('[services.34] an Idempotency-Key is ignored: nothing is stored under it, and each request creates a key', async () => {
    const headers = { 'idempotency-key': 'make-a-key' };
    const first = await generateApiKey(service, 'Backup', { ...manager, headers });
    const again = await generateApiKey(service, 'Backup', { ...manager, headers, expectedRevision: '2' });
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.notEqual(first.json.apiKey, again.json.apiKey);
    assert.equal(again.headers['idempotency-replayed'], undefined);
    const records = await service.read('sund', (db) =>
      db.selectFrom('idempotency_records').selectAll().where('key', '=', 'make-a-key').execute(),
    );
    assert.deepEqual(records, []);
  });

  test('[services.27] a key makes no session: it cannot log in, neither as the service nor as a manager, and is no bearer token of one', async () => {
    const readSessions = () => service.read('sund', (db) => readTableRows(db, ['sessions']));
    const sessions = await readSessions();
    const { json, text } = await generateApiKey(service, 'Export', manager);
    assert.doesNotMatch(text, /token/i);
    const { api_key_hash } = (await readServiceRecord(service, 'Export')).row;
    const passwordHash = await service.dependencies.passwordHasher.hash('violet teapots sing');
    const { managerId } = await service.write('sund', (db) =>
      insertTestManager(db, { userName: 'key-holder', passwordHash }),
    );
    for (const userName of [json.apiKey, 'Export', 'sund-B0-M101', '101', 'key-holder', `sund-M${managerId}`])
      for (const password of [json.apiKey, api_key_hash]) {
        const reply = await service.call('POST', '/api/v1/session/login', { body: { userName, password } });
        assert.deepEqual([reply.status, reply.json.code], [401, 'invalid-credentials'], userName);
      }
    assert.deepEqual(await readSessions(), sessions);
    for (const path of ['/api/v1/session/me', '/api/v1/services', '/api/v1/banks/icons', '/api/v1/session/logout']) {
      const reply = await service.call(path.endsWith('logout') ? 'POST' : 'GET', path, { token: json.apiKey });
      assert.deepEqual([reply.status, reply.json.code], [401, 'unauthenticated'], path);
    }
  });
});
