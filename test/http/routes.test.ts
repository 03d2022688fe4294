// Routes and methods: which ones exist, and the responses to HEAD, OPTIONS, other methods and other routes.
import assert from 'node:assert/strict';
import { METHODS, type IncomingHttpHeaders } from 'node:http';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { isImageOperation, isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import { insertTestBank, insertTestManager, createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import type { CallOptions } from '../support/call.ts';
import type { TestService } from '../support/service.ts';
import { createSample } from './support/operation-samples.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const me = '/api/v1/session/me';
const pages = [
  '/',
  '/console',
  '/console/*',
  '/docs',
  '/docs/assets/reference.js',
  '/docs/assets/elements.js',
  '/docs/assets/operation.js',
  '/docs/assets/request.js',
  '/docs/assets/schema.js',
  '/docs/assets/session.js',
  '/docs/assets/reference.css',
  '/docs/assets/icon.svg',
  '/openapi/public-v1.json',
  '/openapi/downloads-v1.json',
  '/openapi/portal-v1.json',
  '/openapi/equipment-v1.json',
  '/openapi/all-v1.json',
  '/openapi/public-v1-openapi-3.0.json',
  '/openapi/downloads-v1-openapi-3.0.json',
  '/openapi/portal-v1-openapi-3.0.json',
  '/openapi/equipment-v1-openapi-3.0.json',
  '/openapi/all-v1-openapi-3.0.json',
];
const health = ['/livez', '/readyz'];
const unknownRoutes = [
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v1/session',
  `${me}/`,
  `/${me}`,
  '/API/v1/session/me',
  '/api/v2/session/me',
  '/session/me',
  '/api/v1/session%2Fme',
  '/api/v1/session/me;x=1',
  '/api/v1/x/../session/me',
  '/api/v1/banks/sund-B1001',
  '/api/v1/banks/sund-B1001/account/',
  '/openapi',
  '/openapi/portal-v2.json',
  '/metrics',
  '/favicon.ico',
];
// CONNECT is never routed: it requests a tunnel.
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** GET and HEAD of one path. The result of a health check can change between the two: then both are sent again. */
async function getAndHead(service: TestService, path: string, options: CallOptions) {
  for (let attempt = 1; ; attempt += 1) {
    const got = await service.call('GET', path, options);
    const head = await service.call('HEAD', path, options);
    if (!health.includes(path) || head.status === got.status || attempt === 10) return { got, head };
  }
}

/** Every path of the router, from its own printout: each answers OPTIONS. */
function routesOf({ app }: TestService): string[] {
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false, method: 'OPTIONS' })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part] = /^((?:[│ ] {3})*)[├└]── (\S+)/.exec(line) ?? [];
      if (part === undefined) return [];
      path.splice(indent.length / 4, path.length, part);
      // The framework prints the slash before a wildcard only where nothing else begins like it.
      return [path.join('').replace(/(?<=\w)\*$/, '/*')];
    });
}

/** The part of an answer's head that is the same each time. */
function lasting(headers: IncomingHttpHeaders): [name: string, value: unknown][] {
  const passing = new Set(['date', 'traceparent', 'transfer-encoding', 'x-request-id']);
  return Object.entries(headers).filter(([name]) => !passing.has(name));
}

serviceSuite(
  { tenants: ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'], now: testNow },
  ({ service, manager }) => {
    let operations: Operation[];
    before(async () => {
      await service.write('sund', async (db) => {
        await insertTestBank(db);
        // The objects in the examples.
        await lockAndClosePeriod(db, grantBank(1001), 1, 1);
      });
      ({ operations } = createOperations(service.dependencies));
    });

    test('[general.01] every route of an operation except the app download and those of computers begins with /api/v1/, and no other route does', async () => {
      const business = operations.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
      const registered = routesOf(service).map((route) => route.replaceAll(/\([^)]*\)/g, ''));
      // The specification gives these three their own paths.
      const downloads = operations.filter(({ path }) => path.startsWith('/download'));
      assert.deepEqual(
        downloads.map(({ id }) => id),
        ['GetPortalAppDownloadPage', 'DownloadPortalWindowsAppInstaller', 'DownloadPortalWindowsPackage'],
      );
      const ofComputers = operations.filter(({ openApiDocuments }) => openApiDocuments.includes('equipment'));
      for (const { path } of ofComputers) assert.match(path, /^\/equipment\/v1\/[a-z]/);
      const others = operations.filter((each) => !downloads.includes(each) && !ofComputers.includes(each));
      for (const { path } of others) assert.match(path, /^\/api\/v1\/[a-z]/);
      assert.deepEqual(registered.toSorted(), [...new Set([...business, ...pages, ...health])].toSorted());
      for (const operation of others) {
        const { method, path, body } = createSample(operation);
        const { json } = await service.call(method, path.replace('/api/v1', ''), { token: manager.token, body });
        assert.equal(json.code, 'unknown-route', operation.id);
      }
    });

    test("[general.09] JSON, a manager's credentials and the token of their login are enough to call every manager operation", async () => {
      const credentials = { userName: 'plain', password: 'a long and secret passphrase' };
      const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
      await service.write('sund', (db) => insertTestManager(db, { userName: credentials.userName, passwordHash }));
      const logIn = () => service.call('POST', '/api/v1/session/login', { body: credentials });
      let login = await logIn();
      for (const operation of operations) {
        // A suite of its own sends files.
        if (!isManagerOperation(operation) || operation.bodyFormat === 'octets') continue;
        const { method, path, body } = createSample(operation);
        const reply = await service.call(method, path, { token: login.json.accessToken, body });
        if (operation.id === 'LogoutManager') login = await logIn();
        // The objects of an example can be missing or different; an answer about them shows that the operation was
        // reached.
        if (['not-found', 'address-conflict', 'invalid-code', 'invalid-password'].includes(reply.json?.code)) continue;
        assert.ok(reply.status >= 200 && reply.status < 300, `${operation.id}: ${reply.text}`);
        const { kind, mediaTypes } = operation.response;
        const types = kind === 'json' || kind === 'noContent' ? ['application/json'] : mediaTypes;
        const [type = ''] = (reply.headers['content-type'] ?? 'application/json').split(';');
        assert.ok(types.includes(type), `${operation.id}: ${type}`);
      }
    });

    test('[general.26] answers to managers, successes and failures, are not to be stored', async () => {
      for (const operation of operations) {
        if (isImageOperation(operation)) continue;
        const { method, path, body } = createSample(operation);
        const own = operation.id === 'LogoutManager' ? (await createToken(service)).token : manager.token;
        for (const options of [{ token: own, body }, { body }, { host: 'localhost', body }]) {
          const { headers } = await service.call(method, path, options);
          assert.equal(headers['cache-control'], 'no-store', operation.id);
        }
      }
    });

    test('[general.53] HEAD answers what GET does, without the body', async () => {
      const read = operations.filter(({ method }) => method === 'GET').map((operation) => createSample(operation).path);
      for (const path of [...read, ...pages, ...health])
        for (const options of [
          manager,
          { token: manager.token, headers: { accept: 'text/plain', 'accept-language': 'da' } },
          {},
        ]) {
          const { got, head } = await getAndHead(service, path, options);
          // Each request adds an event to the live logs.
          const isSame = path !== '/api/v1/diagnostics/live-logs' || got.status !== 200;
          const fields = (headers: IncomingHttpHeaders) =>
            lasting(headers).filter(([name]) => isSame || (name !== 'content-length' && name !== 'etag'));
          assert.deepEqual([head.status, fields(head.headers), head.text], [got.status, fields(got.headers), ''], path);
          // The length of a file is known only while it is produced.
          if (got.headers['transfer-encoding'] === undefined && isSame)
            assert.equal(Number(head.headers['content-length']), got.bytes.length, path);
        }
      for (const path of ['/nope', `${me}?x=1`]) {
        const got = await service.call('GET', path, manager);
        const head = await service.call('HEAD', path, manager);
        assert.deepEqual([head.status, lasting(head.headers), head.text], [got.status, lasting(got.headers), '']);
      }
    });

    test('[general.53, general.54] OPTIONS lists the methods of a route; every other method is 405 and lists them too', async () => {
      const known = new Map<string, Set<string>>();
      for (const [first, ...others] of Map.groupBy(operations, ({ path }) => path).values())
        if (first !== undefined)
          known.set(createSample(first).path, new Set([first, ...others].map(({ method }) => method)));
      for (const path of ['/docs', '/openapi/portal-v1.json', '/livez', '/readyz']) known.set(path, new Set(['GET']));
      for (const [path, declared] of known) {
        const expected = new Set([...declared, 'OPTIONS', ...(declared.has('GET') ? ['HEAD'] : [])]);
        const { status, headers, text } = await service.call('OPTIONS', path);
        assert.deepEqual([status, text], [204, '']);
        assert.deepEqual(new Set(headers.allow?.split(', ')), expected, path);
        for (const method of methods.filter((each) => !expected.has(each))) {
          const refused = await service.call(method, path, manager);
          assert.deepEqual([refused.status, refused.headers.allow], [405, headers.allow], `${method} ${path}`);
          if (method !== 'HEAD') assert.equal(refused.json.code, 'method-not-allowed');
        }
      }
    });

    test('[general.54] an unknown route is 404, whatever the method', async () => {
      for (const path of unknownRoutes) {
        const { status, json } = await service.call('GET', path, manager);
        assert.deepEqual([status, json.code], [404, 'unknown-route'], path);
      }
      for (const method of methods) {
        const { status, json } = await service.call(method, '/api/v1/nope', manager);
        assert.deepEqual([status, json?.code], [404, method === 'HEAD' ? undefined : 'unknown-route'], method);
      }
    });

    test('[general.54] an unknown route or method is refused before the body is read', async () => {
      const bodies = [
        { rawBody: 'x', headers: { 'content-type': 'text/plain' } },
        { rawBody: '{', headers: { 'content-type': 'application/json' } },
        { rawBody: 'x'.repeat(100_000), headers: { 'content-type': 'application/json' } },
      ];
      for (const body of bodies)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          assert.equal((await service.call(method, '/nope', body)).json.code, 'unknown-route');
          assert.equal((await service.call(method, me, body)).json.code, 'method-not-allowed');
        }
    });
  },
);
