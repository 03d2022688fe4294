// The file of PORTAL_HOSTING: how it is read, and which members are refused, without their values.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseHostingSettings } from './hosting-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-hosting-settings-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'token'), 'token-of-a-file\n');

const parse = (settings: unknown) => parseHostingSettings(JSON.stringify(settings), folder);

const ocean = { type: 'digitalocean', tokenFile: 'token' };
const own = { type: 'prometheus-loki', prometheus: { baseUrl: 'http://10.0.0.7:9090/prometheus' } };
const app = { provider: 'p', appId: 'app-1' };

test('providers and applications are read, with defaults', () => {
  const { resources } = parse({
    providers: { ocean, own, here: { type: 'machine' } },
    applications: {
      production: {
        'portal-api': { provider: 'ocean', appId: 'app-1', component: 'api' },
        mysql: { provider: 'ocean', databaseId: 'db-1' },
      },
      beta: { 'portal-api': { provider: 'here' }, 'portal-web': { provider: 'own', queries: { cpu: 'up' } } },
    },
  });
  const { 'portal-api': api, mysql } = resources.production;
  assert.partialDeepStrictEqual(api, {
    type: 'digitalocean-app',
    appId: 'app-1',
    component: 'api',
    provider: {
      api: {
        baseUrl: new URL('https://api.digitalocean.com/'),
        token: 'token-of-a-file',
        allowsPrivateAddresses: false,
        requestsPerMinute: 80,
        burst: 150,
      },
    },
  });
  assert.partialDeepStrictEqual(mysql, { type: 'digitalocean-database', databaseId: 'db-1' });
  assert.deepEqual(resources.beta['portal-api'], { type: 'machine' });
  assert.partialDeepStrictEqual(resources.beta['portal-web'], {
    type: 'prometheus-loki',
    queries: { cpu: 'up' },
    componentLabel: 'job',
    provider: { prometheus: { baseUrl: new URL('http://10.0.0.7:9090/prometheus/'), allowsPrivateAddresses: true } },
  });
  assert.equal(resources.beta.mysql, undefined);
});

const withProvider = (provider: unknown) => ({ providers: { p: provider }, applications: {} });
const withApp = (resource: unknown, application = 'portal-api', provider: unknown = ocean) => ({
  providers: { p: provider },
  applications: { beta: { [application]: resource } },
});

const refused: [settings: unknown, message: RegExp][] = [
  [[], /^the file: expected an object/],
  [{}, /^providers: expected an object/],
  [{ providers: {} }, /^applications: expected an object/],
  [{ providers: {}, applications: {}, x: 1 }, /^the file\.x: expected one of the members/],
  [{ providers: {}, applications: { test: {} } }, /^applications\.test: expected one of the members beta, production/],
  [withProvider('x'), /^providers\.p: expected an object/],
  [withProvider({ type: 'aws' }), /^providers\.p\.type: expected one of digitalocean, prometheus-loki, machine/],
  [withProvider({ type: 'digitalocean' }), /^providers\.p\.tokenFile: expected a token file/],
  [withProvider({ ...ocean, token: 'x' }), /^providers\.p\.token: expected either a token or a token file/],
  [withProvider({ ...ocean, tokenFile: 'none' }), /^providers\.p\.tokenFile: expected a file .*ENOENT/],
  [withProvider({ type: 'digitalocean', token: 'two words' }), /^providers\.p\.token: expected visible ASCII/],
  [withProvider({ type: 'digitalocean', token: 'a\r\nb: c' }), /^providers\.p\.token: expected visible ASCII/],
  [
    withProvider({ ...ocean, baseUrl: 'http://api.example/' }),
    /^providers\.p\.baseUrl: expected https:, since a token/,
  ],
  [
    withProvider({ ...ocean, baseUrl: 'https://u:p@api.example/' }),
    /^providers\.p\.baseUrl: expected .*without a user/,
  ],
  [withProvider({ ...ocean, logHosts: 'x' }), /^providers\.p\.logHosts: expected a list/],
  [withProvider({ ...ocean, logHosts: ['https://x'] }), /^providers\.p\.logHosts\.0: expected a host/],
  [withProvider({ ...ocean, requestsPerMinute: 0 }), /^providers\.p\.requestsPerMinute: expected a whole number/],
  [withProvider({ type: 'prometheus-loki' }), /^providers\.p: expected prometheus, loki, or both/],
  [withProvider({ type: 'prometheus-loki', prometheus: {} }), /^providers\.p\.prometheus\.baseUrl: expected a URL/],
  [
    withProvider({ type: 'prometheus-loki', prometheus: { baseUrl: 'https://x.example', tenant: 'x' } }),
    /^providers\.p\.prometheus\.tenant: expected one of the members/,
  ],
  [withProvider({ type: 'machine', baseUrl: 'x' }), /^providers\.p\.baseUrl: expected one of the members/],
  [withApp({ provider: 'q' }), /^applications\.beta\.portal-api\.provider: expected one of the providers: p/],
  [withApp(app, 'postgres'), /^applications\.beta\.postgres: expected one of the members/],
  [withApp({ provider: 'p' }), /^applications\.beta\.portal-api\.appId: expected an id/],
  [withApp({ ...app, appId: '../x' }), /^applications\.beta\.portal-api\.appId: expected an id/],
  [withApp({ ...app, databaseId: 'x' }), /^applications\.beta\.portal-api\.databaseId: expected one of the members/],
  [withApp(app, 'mysql'), /^applications\.beta\.mysql\.appId: expected one of the members/],
  [withApp({ provider: 'p' }, 'portal-web', { type: 'machine' }), /portal-web\.provider: expected another provider/],
  [withApp({ provider: 'p', queries: { disk: 'x' } }, 'portal-api', own), /queries\.disk: expected one of the members/],
  [
    withApp({ provider: 'p', queries: { bandwidth: 'x' } }, 'mysql', own),
    /queries\.bandwidth: expected one of the members/,
  ],
  [withApp({ provider: 'p', queries: { cpu: '' } }, 'portal-api', own), /queries\.cpu: expected a query/],
  [
    withApp({ provider: 'p', logs: 'x' }, 'portal-api', own),
    /portal-api\.logs: expected nothing: the provider has no loki/,
  ],
  [withApp({ provider: 'p', logs: 'x' }, 'mysql', own), /mysql\.logs: expected one of the members/],
];

for (const [settings, message] of refused)
  test(`refused: ${message.source}`, () => {
    assert.throws(
      () => parse(settings),
      (error: Error) => message.test(error.message) && !error.message.includes('two words'),
    );
  });

test('[hostlogs.10] a file that is not JSON is refused, and the error does not quote it', () => {
  assert.throws(() => parseHostingSettings('{"token": "very-secret', folder), { message: 'the file is not JSON' });
});
