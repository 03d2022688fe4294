// Only the request's host selects tenant and environment, and no route of a tenant answers on other hosts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import { waitUntil } from '../support/async.ts';
import { createToken } from '../support/factories.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];
const me = '/api/v1/session/me';

const hostOf = (tenant: string, environment: Environment): string =>
  `${environment === 'beta' ? 'beta.' : ''}api.${tenant}.localhost`;

const strangers = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'sund.localhost',
  'api.localhost',
  'api.sund',
  'api.sund.localhost.',
  'api.sund.localhost.example.org',
  'api.sund.example.org',
  'api..localhost',
  'xapi.sund.localhost',
  'www.api.sund.localhost',
  'beta.sund.localhost',
  'api.beta.sund.localhost',
  'beta.beta.api.sund.localhost',
  'alpha.api.sund.localhost',
  'api.sund.localhost:',
  'api.sund.localhost:65536',
  'api.sund.localhost:080x',
  'api.sund.localhost/',
  'anyone@api.sund.localhost',
  'api.sund.localhost, api.sund.localhost',
  'api.sund%2elocalhost',
  'api_sund_localhost',
];

serviceSuite(
  { tenants, settings: { PORTAL_ALLOWED_ORIGINS: 'https://portal.example' }, manager: false },
  ({ service }) => {
    const placeAt = async (host: string, token: string): Promise<string> => {
      const { status, json } = await service.call('GET', me, { host, token });
      return status === 200 ? `${json.tenantKid} ${json.environment}` : `${status} ${json.code}`;
    };

    test('[general.10, general.11, general.12, general.13] each of the six tenants answers on its production and its beta host', async () => {
      assert.deepEqual(
        service.dependencies.config.tenants.map(({ name }) => name),
        tenants,
      );
      for (const tenant of tenants)
        for (const environment of ['production', 'beta'] as const) {
          const { token } = await createToken(service, { tenant, environment });
          assert.equal(await placeAt(hostOf(tenant, environment), token), `${tenant} ${environment}`);
        }
    });

    test('[general.13] a host that names any other tenant is unknown', async () => {
      const { token } = await createToken(service);
      for (const tenant of [
        'oslo',
        'sun',
        'sunds',
        'api',
        'beta',
        'constructor',
        '__proto__',
        's%75nd',
        'xn--snd-hoa',
        '*',
      ])
        for (const environment of ['production', 'beta'] as const)
          assert.equal(await placeAt(hostOf(tenant, environment), token), '400 unknown-host', tenant);
    });

    test('[general.14] case and port of a host make no difference', async () => {
      const { token } = await createToken(service);
      const beta = await createToken(service, { environment: 'beta' });
      for (const host of [
        'API.SUND.LOCALHOST',
        'Api.sUnd.localHost:8080',
        'api.sund.localhost:0',
        'api.sund.localhost:65535',
      ])
        assert.equal(await placeAt(host, token), 'sund production', host);
      for (const host of ['BETA.api.sund.localhost', 'beta.API.sund.localhost:443', 'Beta.Api.Sund.LocalHost:1'])
        assert.equal(await placeAt(host, beta.token), 'sund beta', host);
    });

    test('[general.10, general.11] a host that only resembles the two patterns is unknown', async () => {
      const { token } = await createToken(service);
      for (const host of strangers) assert.equal(await placeAt(host, token), '400 unknown-host', host);
    });

    test('[general.17] an unknown host is refused on every kind of route', async () => {
      const { token } = await createToken(service);
      const pages = [
        '/docs',
        '/docs/assets/reference.js',
        '/openapi/portal-v1.json',
        '/openapi/none.json',
        '/',
        '/nope',
        '/api/v1',
      ];
      const requests = [
        ...createOperations(service.dependencies).operations.map(createSample),
        ...pages.map((path) => ({ method: 'GET', path, body: undefined })),
        ...['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND'].map((method) => ({ method, path: me, body: undefined })),
      ];
      for (const { method, path, body } of requests)
        for (const host of ['api.oslo.localhost', 'localhost']) {
          const { status, json } = await service.call(method, path, { host, token, body });
          assert.deepEqual(
            [status, method === 'HEAD' ? 'unknown-host' : json.code],
            [400, 'unknown-host'],
            `${method} ${path}`,
          );
        }
      const preflight = { origin: 'https://portal.example', 'access-control-request-method': 'GET' };
      const { json } = await service.call('OPTIONS', me, { host: 'localhost', headers: preflight });
      assert.equal(json.code, 'unknown-host');
    });

    test('[general.17, public.26] the health routes answer on any host without login', async () => {
      for (const path of ['/livez', '/readyz'])
        for (const host of ['api.sund.localhost', 'beta.api.fjord.localhost', ...strangers]) {
          // A check has a second and a half, which a busy machine can exceed.
          await waitUntil(`${path} at ${host} is ok`, async () => {
            const { status, json } = await service.call('GET', path, { host });
            return status === 200 && json.status === 'ok';
          });
        }
    });
  },
);
