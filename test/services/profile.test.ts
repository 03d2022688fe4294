// SetServiceProfileField: what is written, compared and remembered, and what cannot be written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceIdentity } from '../../src/features/services/rules/service-catalogue.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  getService,
  readServiceContent,
  readServiceRecord,
  servicePath,
  setServiceField,
  updateService,
} from '../support/services.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager }) => {
  const set = (identity: ServiceIdentity, field: string, value: unknown, expectedRevision = '1') =>
    setServiceField(service, identity, field, value, { ...manager, expectedRevision });

  test('[services.17, services.18, services.24] a write answers the service with its new revision, and is one row of history', async () => {
    const named = await set('Gateway', 'Name', 'Gateway of the cellar');
    assert.equal(named.status, 200, named.text);
    assert.partialDeepStrictEqual(named.json, {
      service: { kid: 'sund-B0-M1', identity: 'Gateway', name: 'Gateway of the cellar', iconName: 'server' },
      profileRevision: '2',
      canEdit: true,
    });
    const drawn = await set('Gateway', 'Icon', 'robot', '2');
    assert.partialDeepStrictEqual(drawn.json, {
      service: { name: 'Gateway of the cellar', iconKid: 'robot', iconName: 'robot' },
      profileRevision: '3',
    });
    assert.deepEqual((await getService(service, 'Gateway', manager)).json, drawn.json);
    const { history, audit } = await readServiceRecord(service, 'Gateway');
    const common = { service_id: 1, changed_at: testNow, editor_id: manager.managerId };
    assert.deepEqual(history, [
      { ...common, revision: 2, field: 'Name', old_value: 'Gateway', new_value: 'Gateway of the cellar' },
      { ...common, revision: 3, field: 'Icon', old_value: 'server', new_value: 'robot' },
    ]);
    const recorded = { operation: 'SetServiceProfileField', actor_id: manager.managerId };
    assert.deepEqual(audit, [
      { ...recorded, old_values: '{"Name":"Gateway"}', new_values: '{"Name":"Gateway of the cellar"}' },
      { ...recorded, old_values: '{"Icon":"server"}', new_values: '{"Icon":"robot"}' },
    ]);
  });

  test('[services.24] an unchanged value is answered, and changes neither revision nor history', async () => {
    const stored = await readServiceContent(service, 'Payments');
    for (const [field, value] of [
      ['Name', 'Payments'],
      ['Icon', 'credit_card'],
    ] as const) {
      const { status, json } = await set('Payments', field, value);
      assert.deepEqual([status, json.profileRevision], [200, '1']);
    }
    assert.deepEqual(await readServiceContent(service, 'Payments'), stored);
  });

  test('[services.19] a name has up to 200 characters without control characters', async () => {
    let revision = 1;
    for (const name of ['a'.repeat(200), '🧺'.repeat(200), '', ' ', "'; drop table services; --", 'Ærø <b>%_\\']) {
      const { status, json, text } = await set('Mailer', 'Name', name, String(revision));
      assert.equal(status, 200, text);
      revision += 1;
      assert.deepEqual([json.service.name, json.profileRevision], [name, String(revision)]);
    }
    const stored = await readServiceContent(service, 'Mailer');
    const refused = ['a'.repeat(201), '🧺'.repeat(201), 'a\nb', '\t', 'a\u0000', '\u007f', '\u0085', '\ud800'];
    for (const name of refused) {
      const { status, json } = await set('Mailer', 'Name', name, String(revision));
      assert.deepEqual(
        [status, json.code, json.errors?.[0]?.path],
        [400, 'invalid-service-profile', 'body.value'],
        name,
      );
    }
    assert.deepEqual(await readServiceContent(service, 'Mailer'), stored);
  });

  test('[services.14, services.20] only an icon that can be chosen is accepted, not one that is only shown', async () => {
    await service.write('sund', (db) => updateService(db, 'TextMessages', { icon: 'coin_box' }));
    const { json } = await getService(service, 'TextMessages', manager);
    assert.ok(json.availableIcons.includes('coin_box'));
    const stored = await readServiceContent(service, 'TextMessages');
    for (const icon of ['coin_box', 'none', '', 'MAIL', 'mail~n5', 'fax_machine', 'house ', '1', 'constructor']) {
      const reply = await set('TextMessages', 'Icon', icon);
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-service-profile'], icon);
    }
    assert.deepEqual(await readServiceContent(service, 'TextMessages'), stored);
    const chosen = await set('TextMessages', 'Icon', 'message');
    assert.equal(chosen.status, 200);
    assert.ok(!chosen.json.availableIcons.includes('coin_box'));
    assert.equal((await set('TextMessages', 'Icon', 'coin_box', '2')).status, 400);
  });

  test('[services.21, services.22] the hash of the key cannot be written or cleared, and no field takes a key', async () => {
    await service.write('sund', (db) => updateService(db, 'Statistics', { api_key_hash: '$argon2id$stored' }));
    const stored = await readServiceContent(service, 'Statistics');
    const values = ['', null, 'kt_5_x', '$argon2id$other', '$argon2id$stored'];
    for (const field of ['ApiKeyHash', 'apiKeyHash', 'ApiKey', 'Identity', 'Revision', 'name', '__proto__'])
      for (const value of values) {
        const { status, json } = await set('Statistics', field, value);
        assert.deepEqual([status, json.code], [400, 'invalid-service-profile'], `${field} ${String(value)}`);
      }
    for (const more of ['apiKey', 'apiKeyHash', 'hash'])
      for (const [path, body] of [
        ['/profile/Name', { value: 'Figures', expectedRevision: '1' }],
        ['/api-key', { expectedRevision: '1' }],
      ] as const) {
        const options = { ...manager, body: { ...body, [more]: 'kt_5_x' } };
        const { status, json } = await service.call('POST', servicePath('Statistics', path), options);
        assert.deepEqual([status, json.code], [400, 'invalid-service-profile'], `${path} ${more}`);
      }
    assert.deepEqual(await readServiceContent(service, 'Statistics'), stored);
  });

  test('[services.23] a stale or made-up revision is 409 service-profile-conflict, a missing one 400', async () => {
    assert.equal((await set('Scheduler', 'Name', 'Clock')).status, 200);
    const stored = await readServiceContent(service, 'Scheduler');
    for (const revision of ['1', '0', '3', '', '02', 'two']) {
      const { status, json } = await set('Scheduler', 'Name', 'Timer', revision);
      assert.deepEqual([status, json.code], [409, 'service-profile-conflict'], revision);
    }
    for (const body of [{ value: 'Timer' }, { expectedRevision: '2' }, { value: 5, expectedRevision: '2' }, [], null]) {
      const { status, json } = await service.call('POST', servicePath('Scheduler', '/profile/Name'), {
        ...manager,
        body,
      });
      assert.deepEqual([status, json.code], [400, 'invalid-service-profile'], JSON.stringify(body));
    }
    assert.deepEqual(await readServiceContent(service, 'Scheduler'), stored);
  });

  test('[services.30, services.32] a body of 4096 bytes is accepted, one of 4097 is 413 invalid-service-profile', async () => {
    const bodyOf = (bytes: number, body: object): string => JSON.stringify(body).padEnd(bytes, ' ');
    for (const [path, body] of [
      ['/profile/Name', { value: 'Books', expectedRevision: '1' }],
      ['/api-key', { expectedRevision: '2' }],
    ] as const) {
      const send = (bytes: number) =>
        service.call('POST', servicePath('Settlements', path), { ...manager, rawBody: bodyOf(bytes, body) });
      const stored = await readServiceContent(service, 'Settlements');
      const refused = await send(4097);
      assert.deepEqual([refused.status, refused.json.code], [413, 'invalid-service-profile'], path);
      assert.deepEqual(await readServiceContent(service, 'Settlements'), stored);
      const accepted = await send(4096);
      assert.equal(accepted.status, 200, accepted.text);
    }
  });

  test('an Idempotency-Key is ignored, because the answer has the hash of the key, which must not be stored elsewhere', async () => {
    await service.write('sund', (db) => updateService(db, 'Documents', { api_key_hash: '$argon2id$stored' }));
    const options = { ...manager, headers: { 'idempotency-key': 'rename' } };
    const replies = [];
    for (let times = 0; times < 2; times += 1)
      replies.push(await setServiceField(service, 'Documents', 'Name', 'Papers', options));
    assert.deepEqual(
      replies.map((reply) => [reply.status, isReplay(reply)]),
      [
        [200, false],
        [409, false],
      ],
    );
    assert.equal(replies[0]?.json.apiKeyHash, '$argon2id$stored');
    const records = await service.read('sund', (db) => db.selectFrom('idempotency_records').selectAll().execute());
    assert.deepEqual(records, []);
  });

  test('no answer with the hash of a key is compressed', async () => {
    const headers = { 'accept-encoding': 'gzip, br, zstd' };
    const read = await getService(service, 'Documents', { ...manager, headers });
    const { json } = await getService(service, 'Documents', manager);
    const options = { ...manager, headers, expectedRevision: json.profileRevision };
    const written = await setServiceField(service, 'Documents', 'Name', 'Papers', options);
    for (const reply of [read, written]) {
      assert.equal(reply.status, 200);
      assert.ok(reply.bytes.length > 1024);
      assert.equal(reply.headers['content-encoding'], undefined);
    }
  });
});
