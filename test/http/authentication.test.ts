// Every operation that needs a token refuses requests whose token is missing or not valid on the host.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { ManagerOperation, Operation } from '../../src/http/operations/operation.ts';
import { isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { isAuthorized, callOperation, insertTestSession, exampleTargetOf } from '../support/operation-authorization.ts';
import { insertTestBank, insertTestManager, createToken } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const betaHost = 'beta.api.sund.localhost';
const fjordHost = 'api.fjord.localhost';
const me = '/api/v1/session/me';
const realm = 'Bearer realm="api.sund.localhost"';

serviceSuite({ tenants: ['sund', 'fjord'], manager: false }, ({ service }) => {
  let operations: Operation[];
  let managed: ManagerOperation[];
  before(async () => {
    ({ operations } = createOperations(service.dependencies));
    managed = operations.filter(isManagerOperation);
    assert.ok(managed.length > 2);
    for (const tenant of ['sund', 'fjord']) {
      await service.write(tenant, async (db) => {
        await insertTestBank(db);
        await insertTestBank(db, { bankId: 1002 });
      });
    }
  });

  test('[auth.02, auth.42] without a token every manager operation is 401 with a bare Bearer challenge', async () => {
    const headers = [{}, { authorization: '' }, { authorization: 'Basic b3duZXI6cGFzc3dvcmQ=' }, { cookie: 'token=x' }];
    for (const operation of managed) {
      for (const given of headers) {
        const reply = await callOperation(service, operation, { headers: given });
        assert.deepEqual([reply.status, reply.json.code], [401, 'unauthenticated'], operation.id);
        assert.equal(reply.headers['www-authenticate'], realm, `${operation.id} ${JSON.stringify(given)}`);
      }
    }
  });

  test('[auth.02, auth.42] an invalid token is 401 with error="invalid_token"', async () => {
    for (const operation of managed) {
      for (const token of ['unknown', 'x'.repeat(43), 'x'.repeat(600), 'two tokens', 'a,b', '', "' or 1=1 --"]) {
        const reply = await callOperation(service, operation, { token });
        assert.deepEqual([reply.status, reply.json.code], [401, 'unauthenticated'], `${operation.id} ${token}`);
        assert.match(
          reply.headers['www-authenticate'] ?? '',
          /^Bearer realm="api\.sund\.localhost", error="invalid_token", error_description="[^"\\]+"$/,
        );
      }
    }
  });

  test('[auth.02] a token counts only in the Authorization header, and there it suffices', async () => {
    for (const operation of managed) {
      const { token } = await createToken(service);
      const inQuery = await service.call(operation.method, `${exampleTargetOf(operation)}?access_token=${token}`);
      assert.equal(inQuery.status, 401, operation.id);
      assert.equal(
        (await callOperation(service, operation, { headers: { cookie: `accessToken=${token}` } })).status,
        401,
      );
      const reply = await callOperation(service, operation, { headers: { authorization: `bearer ${token}` } });
      assert.ok(isAuthorized(reply), `${operation.id}: ${reply.text}`);
    }
  });

  test("[auth.25] only LoginManager works without a token in its area, and in all of the portal's document", async () => {
    const { group } = operations.find(({ id }) => id === 'LoginManager') ?? {};
    const ids = (among: Operation[]) => among.map(({ id }) => id);
    const area = operations.filter(
      (operation) => operation.group === group || operation.path.startsWith('/api/v1/session/'),
    );
    assert.deepEqual(ids(area.filter((operation) => !isManagerOperation(operation))), ['LoginManager']);
    assert.ok(ids(area.filter(isManagerOperation)).includes('GetCurrentManager'));
    const portal = operations.filter(({ openApiDocuments }) => openApiDocuments.includes('portal'));
    assert.deepEqual(ids(portal.filter((operation) => !isManagerOperation(operation))), ['LoginManager']);
    for (const operation of area) {
      const { status, json } = await callOperation(service, operation);
      assert.deepEqual(
        [status, json.code],
        operation.id === 'LoginManager' ? [400, 'invalid-request'] : [401, 'unauthenticated'],
      );
    }
  });

  test('[general.31] a 401 can have no body: HEAD is refused with only header fields', async () => {
    for (const operation of managed.filter(({ method }) => method === 'GET')) {
      const { status, text, headers } = await callOperation(service, {
        ...operation,
        method: 'HEAD',
      } as unknown as Operation);
      assert.deepEqual([status, text, headers['www-authenticate']], [401, '', realm], operation.id);
    }
  });

  test('a request without a token is 401 whatever its body', async () => {
    const bodies = [
      { rawBody: '{ no JSON' },
      { rawBody: 'x', headers: { 'content-type': 'image/png' } },
      { rawBody: 'x'.repeat(100_000) },
      { body: { unknown: 'field' } },
      {},
    ];
    for (const operation of managed.filter(({ method }) => method !== 'GET')) {
      for (const body of bodies)
        assert.equal((await callOperation(service, operation, body)).status, 401, operation.id);
    }
  });

  test("[auth.04] a token of another tenant's host is 401 at every operation, also when it was just used at its own", async () => {
    for (const operation of managed) {
      const { token } = await createToken(service, { tenant: 'fjord' });
      assert.equal((await service.call('GET', me, { token, host: fjordHost })).status, 200);
      const abroad = await callOperation(service, operation, { token });
      assert.deepEqual([abroad.status, abroad.json.code], [401, 'unauthenticated'], operation.id);
      const forwarded = { 'x-forwarded-host': fjordHost, forwarded: `host=${fjordHost}` };
      assert.equal((await callOperation(service, operation, { token, headers: forwarded })).status, 401, operation.id);
      const home = await callOperation(service, operation, { token, host: fjordHost });
      assert.notEqual(home.status, 401, operation.id);
    }
  });

  test('[auth.05] a token of the other environment is 401 at every operation, also when it was just used in its own', async () => {
    for (const operation of managed) {
      for (const [environment, own, other] of [
        ['production', 'api.sund.localhost', betaHost],
        ['beta', betaHost, 'api.sund.localhost'],
      ] as const) {
        const { token } = await createToken(service, { environment });
        assert.equal((await service.call('GET', me, { token, host: own })).status, 200);
        const refused = await callOperation(service, operation, { token, host: other });
        assert.deepEqual([refused.status, refused.json.code], [401, 'unauthenticated'], `${operation.id} at ${other}`);
        const reply = await callOperation(service, operation, { token, host: own });
        assert.ok(isAuthorized(reply), `${operation.id}: ${reply.text}`);
      }
    }
  });

  test('[auth.06] an expired, revoked or changed session is 401 at every operation', async () => {
    const states = {
      expired: { livesMs: 0 },
      changed: { credentialStamp: 'an older one' },
      inactive: {},
      deleted: {},
      revoked: {},
    };
    for (const operation of managed) {
      for (const [state, session] of Object.entries(states)) {
        const credentialStamp = 'the present one';
        const { managerId } = await service.write('sund', (db) =>
          insertTestManager(db, { credentialStamp, active: state !== 'inactive' }),
        );
        const token = await insertTestSession(service, managerId, { credentialStamp, ...session });
        await service.write('sund', async (db) => {
          if (state === 'revoked') await db.deleteFrom('sessions').where('manager_id', '=', managerId).execute();
          if (state === 'deleted')
            await db.updateTable('managers').set({ deleted_at: 1 }).where('manager_id', '=', managerId).execute();
        });
        const reply = await callOperation(service, operation, { token });
        assert.deepEqual([reply.status, reply.json.code], [401, 'unauthenticated'], `${operation.id}: ${state}`);
      }
    }
  });
});
