// Only the host of a request selects the tenant, and an ambiguous host is refused.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank, createToken } from '../support/factories.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';
import { serviceSuite } from '../support/service-suite.ts';

const me = '/api/v1/session/me';
const sund = 'api.sund.localhost';
const fjord = 'api.fjord.localhost';
const password = 'a long and secret passphrase';

const forwarding = (host: string): [string, string][] => [
  ['X-Forwarded-Host', host],
  ['X-Forwarded-Server', host],
  ['X-Host', host],
  ['X-Original-Host', host],
  ['X-HTTP-Host-Override', host],
  ['X-Original-URL', `http://${host}${me}`],
  ['X-Rewrite-URL', `http://${host}${me}`],
  ['Forwarded', `host=${host};proto=https`],
  ['Forwarded', `for=127.0.0.1;host="${host}"`],
  ['Via', `1.1 ${host}`],
  ['Origin', `http://${host}`],
  ['Referer', `http://${host}/`],
  [':authority', host],
];

serviceSuite({ tenants: ['sund', 'fjord'] }, ({ service, manager }) => {
  let foreignToken: string;
  before(async () => {
    for (const tenant of ['sund', 'fjord']) await service.write(tenant, (db) => insertTestBank(db));
    const passwordHash = await service.dependencies.passwordHasher.hash(password);
    ({ token: foreignToken } = await createToken(service, {
      tenant: 'fjord',
      userName: 'only-in-fjord',
      passwordHash,
    }));
  });

  /** Sends GetCurrentManager with the token of `sund` as raw bytes. */
  const ask = async (target: string, headers: readonly string[]): Promise<string> => {
    const { status, json } = await sendRaw(
      service.port,
      formatRawRequest(`GET ${target} HTTP/1.1`, [...headers, `Authorization: Bearer ${manager.token}`]),
    );
    return status === 200 ? `${json.tenantKid} ${json.environment}` : `${status} ${json.code}`;
  };

  test('[general.14, general.15] a forwarded host never changes tenant or environment', async () => {
    for (const named of [fjord, `beta.${sund}`])
      for (const [field, value] of forwarding(named)) {
        // A field name that begins with a colon is not valid HTTP/1.1, and is refused.
        const expected = field.startsWith(':') ? '400 invalid-request' : 'sund production';
        assert.equal(await ask(me, [`Host: ${sund}`, `${field}: ${value}`]), expected, field);
      }
  });

  test('[general.14, general.15] a forwarded host never replaces a missing or unknown Host', async () => {
    for (const [field, value] of forwarding(sund)) {
      const expected = field.startsWith(':') ? '400 invalid-request' : '400 unknown-host';
      assert.equal(await ask(me, ['Host: localhost', `${field}: ${value}`]), expected, field);
      assert.equal(await ask(me, [`${field}: ${value}`]), expected, field);
    }
  });

  test('[general.14] a request has exactly one Host, in every version of HTTP/1', async () => {
    const hosts = [
      [],
      ['Host:'],
      [`Host: ${sund}`, `Host: ${fjord}`],
      [`Host: ${fjord}`, `Host: ${sund}`],
      [`Host: ${sund}`, `host: ${sund}`],
      [`Host: ${sund}`, 'Host:'],
      [`Host: ${sund}, ${sund}`],
    ];
    for (const headers of hosts) assert.equal(await ask(me, headers), '400 unknown-host', headers.join());
    const old = await sendRaw(
      service.port,
      formatRawRequest(`GET ${me} HTTP/1.0`, [`Authorization: Bearer ${manager.token}`]),
    );
    assert.equal(old.json.code, 'unknown-host');
  });

  test('[general.14] the host of an absolute-form target wins over Host', async () => {
    assert.equal(await ask(`http://${sund}${me}`, [`Host: ${fjord}`]), 'sund production');
    assert.equal(await ask(`HTTPS://API.SUND.LOCALHOST:8080${me}`, ['Host: localhost']), 'sund production');
    assert.equal(await ask(`http://beta.${sund}${me}`, [`Host: ${sund}`]), '401 unauthenticated');
    assert.equal(await ask(`http://${fjord}${me}`, [`Host: ${sund}`]), '401 unauthenticated');
    assert.equal(await ask(`http://localhost${me}`, [`Host: ${sund}`]), '400 unknown-host');
    assert.equal(await ask(`http://${sund}@localhost${me}`, [`Host: ${sund}`]), '400 unknown-host');
    assert.equal(await ask(`http://${sund}${me}`, []), '400 unknown-host');
    assert.equal(await ask(`http://${sund}${me}`, [`Host: ${sund}`, `Host: ${sund}`]), '400 unknown-host');
    for (const target of [`http://${sund}`, `http://${sund}?x`]) {
      const index = await sendRaw(service.port, formatRawRequest(`GET ${target} HTTP/1.1`, [`Host: ${sund}`]));
      assert.equal(index.json.reference, '/docs', 'no path is the path /');
    }
    assert.equal(await ask(`ftp://${sund}${me}`, [`Host: ${sund}`]), '404 unknown-route');
    assert.equal(await ask(`//${fjord}${me}`, [`Host: ${sund}`]), '404 unknown-route');
    // The reverse: the answer comes from the target's tenant and is not only a refusal.
    const line = `GET http://${fjord}${me} HTTP/1.1`;
    const { json } = await sendRaw(
      service.port,
      formatRawRequest(line, [`Host: ${sund}`, `Authorization: Bearer ${foreignToken}`]),
    );
    assert.equal(json.tenantKid, 'fjord');
  });

  test('[general.16, kid.03, kid.06] a KID of another tenant changes no tenant and is refused in path and query', async () => {
    const account = '/api/v1/banks/sund-B1001/account';
    const refused: [path: string, at: string][] = [
      ['/api/v1/banks/fjord-B1001/account', 'path.bankKid'],
      ['/api/v1/banks/fjord-B1001/account/revision', 'path.bankKid'],
      [`${account}?LocationKid=fjord-B1001-L1`, 'query.LocationKid'],
      [`${account}?unitkid=fjord-B1001-L1-U1`, 'query.UnitKid'],
      [`${account}?USERKID=fjord-B1001-R1001`, 'query.UserKid'],
      [`${account}/revision?LocationKid=fjord-B1001-L1`, 'query.LocationKid'],
    ];
    for (const [path, at] of refused) {
      const { status, json } = await service.call('GET', path, manager);
      assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-kid', at], path);
      // The same KIDs are valid at the host of their tenant: only their tenant was wrong.
      const home = path.replace('/sund-', '/fjord-');
      assert.equal((await service.call('GET', home, { token: foreignToken, host: fjord })).status, 200, home);
    }
    const own = await service.call('GET', account, manager);
    assert.equal(own.json.bankKid, 'sund-B1001');
  });

  test('[general.16] a field, a query name or a form that names a tenant changes nothing', async () => {
    const login = '/api/v1/session/login';
    const credentials = { userName: 'only-in-fjord', password };
    assert.equal((await service.call('POST', login, { host: fjord, body: credentials })).status, 200);
    assert.equal((await service.call('POST', login, { body: credentials })).json.code, 'invalid-credentials');
    for (const field of ['tenant', 'tenantKid', 'host', 'environment']) {
      const { status, json } = await service.call('POST', login, { body: { ...credentials, [field]: 'fjord' } });
      assert.deepEqual([status, json.code], [400, 'invalid-request'], field);
      const byQuery = await service.call('GET', `${me}?${field}=fjord`, manager);
      assert.deepEqual([byQuery.status, byQuery.json.code], [400, 'invalid-request'], field);
    }
    const form = new URLSearchParams({ ...credentials, tenant: 'fjord' }).toString();
    const type = 'application/x-www-form-urlencoded';
    const posted = await service.call('POST', login, { rawBody: form, headers: { 'content-type': type } });
    assert.equal(posted.status, 415);
    const named = await service.call('GET', me, {
      token: manager.token,
      headers: { 'x-tenant': 'fjord', tenant: 'fjord', cookie: 'tenant=fjord' },
    });
    assert.equal(named.json.tenantKid, 'sund');
  });
});
