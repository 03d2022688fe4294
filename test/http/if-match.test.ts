// If-Match of writes: the revision in quotes takes the place of `expectedRevision`.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { takesRevision, isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { insertTestInstaller, installerPath } from '../support/installers.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { settingPath, unitIds } from '../support/unit-settings.ts';

serviceSuite({}, ({ service, manager }) => {
  const notePath = settingPath(unitIds(), 'Note');
  const write = (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<HttpReply> =>
    service.call(method, path, { ...manager, body, headers });
  const setNote = (value: string, ifMatch: string, headers: Record<string, string> = {}): Promise<HttpReply> =>
    write('PUT', notePath, { value }, { 'if-match': ifMatch, ...headers });
  before(() =>
    service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
      await insertTestInstaller(db, { installerId: 2001 });
    }),
  );

  test('[general.58] a write with the present revision is done, and with a stale one 412 and not done', async () => {
    const first = await setNote('first', '"0"');
    assert.equal(first.status, 200, first.text);
    const stale = await setNote('stale', '"0"');
    assert.deepEqual([stale.status, stale.json.code], [412, 'precondition-failed']);
    const asBody = await write('PUT', notePath, { value: 'stale', expectedRevision: '0' }, {});
    assert.deepEqual([asBody.status, asBody.json.code], [409, 'setting-conflict'], 'the specification’s conflict');
    const second = await setNote('second', `"${first.json.revision}"`);
    assert.deepEqual([second.status, second.json.value], [200, 'second']);
  });

  test('[general.58] the ETag of a read whose revision the write compares is accepted', async () => {
    const address = '/api/v1/addresses/sund-B1001-L1';
    const { headers, json } = await service.call('GET', address, manager);
    const body = { address: 'Example Street 1', zip: '' };
    const ifMatch = { 'if-match': String(headers.etag) };
    assert.equal((await write('PUT', address, body, ifMatch)).status, 200);
    assert.equal((await write('PUT', address, { ...body, address: 'Other' }, ifMatch)).status, 412);
    const conflict = await write('PUT', address, { ...body, expectedRevision: json.revision }, {});
    assert.deepEqual([conflict.status, conflict.json.code], [409, 'address-conflict']);
  });

  test('[general.58] both together must agree, and If-Match is one strong tag', async () => {
    const wrong: [string, number][] = [
      ['*', 400],
      ['2', 400],
      ['"1", "2"', 400],
      ['', 400],
      ['W/"0"', 412],
    ];
    const icon = (body: object, ifMatch: string): Promise<HttpReply> =>
      write('PUT', installerPath(2001, '/icon'), { icon: 'person', ...body }, { 'if-match': ifMatch });
    for (const [ifMatch, status] of wrong) assert.equal((await icon({}, ifMatch)).status, status, ifMatch);
    assert.equal((await icon({ expectedRevision: '2' }, '"1"')).status, 400);
    assert.equal((await icon({ expectedRevision: '1' }, '"1"')).status, 200);
    const missing = await write('PUT', installerPath(2001, '/icon'), { icon: 'person' }, {});
    assert.equal(missing.status, 400, 'one of the two is required');
  });

  test('[general.58] a repeated write with a key has the first answer, and another If-Match is another request', async () => {
    const { json } = await service.call('GET', settingPath(unitIds(), 'Note', '/history'), manager);
    assert.ok(json.items.length > 0);
    const current = await setNote('keyed', '"none"');
    assert.equal(current.status, 412);
    const group = await service.call('GET', '/api/v1/units/sund-B1001-L1-U1/groups/General', manager);
    const { revision } = group.json.values.find(({ name }: { name: string }) => name === 'Note');
    const key = { 'idempotency-key': 'if-match-1' };
    const first = await setNote('keyed', `"${revision}"`, key);
    const again = await setNote('keyed', `"${revision}"`, key);
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await setNote('keyed', '"other"', key)).status, 422);
  });

  test('[general.58] every write of a manager either takes the revision of If-Match, or is 412', async () => {
    const writes = createOperations(service.dependencies).operations.filter(
      (operation) => isManagerOperation(operation) && operation.method !== 'GET',
    );
    assert.ok(writes.filter(takesRevision).length >= 12);
    for (const operation of writes) {
      if (takesRevision(operation) || operation.id === 'LogoutManager' || operation.bodyFormat === 'octets') continue;
      const { path, body } = createSample(operation);
      const { status, json } = await write(operation.method, path, body, { 'if-match': '"1"' });
      assert.deepEqual([status, json.code], [412, 'precondition-failed'], operation.id);
    }
  });
});
