// Behind a trusted proxy the client is the address that the proxy names: for limits, failed logins and the log. Tenant
// and scheme never depend on a proxy's header fields.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import type { CallOptions } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';

const trusted = '127.0.0.1';
const untrusted = '127.0.0.2';
const requestsPerMinute = 1000;
const login = '/api/v1/session/login';
/** The framework answers the first, the fast path the second as soon as it is cached, and no route matches the third. */
const paths = ['/api/v1/public/status', '/api/v1/gradients/linear/ff0000-0000ff/30.svg', '/nope'];

const settings = { PORTAL_TRUSTED_PROXIES: `${trusted}, 127.1.0.0/16`, PORTAL_RATE_LIMIT: `${requestsPerMinute}` };

serviceSuite({ tenants: ['sund', 'fjord'], settings, manager: false }, ({ service }) => {
  let instance: TestInstance;
  const lines: string[] = [];
  before(async () => {
    await service.write('sund', (db) =>
      insertTestManager(db, { userName: 'anna', passwordHash: plainPasswordHash('right') }),
    );
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    instance = await startInstance(service, { log, passwordHasher: plainPasswords });
    // The answer to the second request for it is cached.
    for (const client of ['203.0.113.98', '203.0.113.99'])
      await instance.call('GET', paths[1] ?? '', { headers: { 'x-forwarded-for': client } });
  });
  after(() => instance.stop());
  beforeEach(() => void lines.splice(0));

  const remaining = async (path: string, options: CallOptions): Promise<number> => {
    const { headers } = await instance.call('GET', path, options);
    return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };

  test('each client behind a proxy has its own limits', async () => {
    for (const [at, path] of paths.entries()) {
      const first = { headers: { 'x-forwarded-for': `203.0.113.${at}` } };
      const left = await remaining(path, first);
      assert.equal(left, 2 * requestsPerMinute - 1, path);
      assert.equal(await remaining(path, { headers: { forwarded: `for="203.0.113.${at}:80"` } }), left - 1, path);
      assert.equal(await remaining(path, { headers: { 'x-forwarded-for': `198.51.100.${at}` } }), left, path);
      // The client's own entries are on the left, and those of further proxies on the right.
      const written = `198.51.100.9, 203.0.113.${at}, 127.1.2.3`;
      assert.equal(await remaining(path, { headers: { 'x-forwarded-for': written } }), left - 2, path);
    }
  });

  test('a client that is not a trusted proxy cannot choose its address', async () => {
    let left = 2 * requestsPerMinute;
    for (const path of paths)
      for (const headers of [
        {},
        { 'x-forwarded-for': '203.0.113.200' },
        { forwarded: 'for=203.0.113.201' },
        { 'x-real-ip': '203.0.113.202', 'x-client-ip': '203.0.113.203' },
      ])
        assert.equal(await remaining(path, { from: untrusted, headers }), (left -= 1), path);
  });

  test('failed logins count against the client behind the proxy', async () => {
    const statusFrom = async (client: string, password: string): Promise<number> => {
      const headers = { 'x-forwarded-for': client };
      return (await instance.call('POST', login, { headers, body: { userName: 'anna', password } })).status;
    };
    const guesses = Array.from({ length: 10 }, () => statusFrom('203.0.113.50', 'wrong'));
    assert.deepEqual(new Set(await Promise.all(guesses)), new Set([401]));
    assert.equal(await statusFrom('203.0.113.50', 'right'), 429);
    assert.equal(await statusFrom('203.0.113.51', 'right'), 200);
  });

  test('the log names the client of each request', async () => {
    const expected: string[] = [];
    for (const path of paths) {
      await instance.call('GET', path, { headers: { 'x-forwarded-for': '2001:DB8::1, 2001:db8:1:2:3::4' } });
      await instance.call('GET', path, { from: untrusted, headers: { 'x-forwarded-for': '203.0.113.1' } });
      expected.push('2001:db8:1:2:3::4', untrusted);
    }
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ clientAddress }) => clientAddress),
      expected,
    );
  });

  test('[general.15] not even a trusted proxy changes the tenant or the scheme', async () => {
    const headers = {
      forwarded: 'for=203.0.113.1;host=api.fjord.localhost;proto=https',
      'x-forwarded-host': 'api.fjord.localhost',
      'x-forwarded-proto': 'https',
    };
    const { json, headers: answered } = await instance.call('GET', '/api/v1/public/status', { headers });
    assert.equal(json.tenantKid, 'sund');
    assert.equal(answered['strict-transport-security'], undefined);
    const unknown = await instance.call('GET', '/api/v1/public/status', { host: 'localhost', headers });
    assert.equal(unknown.json.code, 'unknown-host');
  });
});
