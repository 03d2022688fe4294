// Finding the host of a request, and the tenant and environment of a host.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { builtInTenants } from '../../tenants.ts';
import { parseAbsoluteForm, tenantHosts, readRequestHost } from './tenancy.ts';

const tenantNames = builtInTenants.map(({ name }) => name);
const findTenantHost = tenantHosts(builtInTenants, 'portal.example');

const formatTenantHost = (host: string): string | undefined => {
  const tenantHost = findTenantHost(host);
  return tenantHost === undefined ? undefined : `${tenantHost.tenant.name} ${tenantHost.environment}`;
};

test('[general.10, general.11, general.14] the two patterns name a tenant and environment, in any case and with any port', () => {
  const port = fc.option(fc.nat({ max: 65_535 }), { nil: undefined });
  const host = fc.tuple(fc.constantFrom('', 'beta.'), fc.constantFrom(...tenantNames), port);
  fc.assert(
    fc.property(
      host.chain(([prefix, name, number]) =>
        fc.tuple(
          fc.mixedCase(fc.constant(`${prefix}api.${name}.portal.example`)),
          fc.constant({ prefix, name, number }),
        ),
      ),
      ([spelled, { prefix, name, number }]) => {
        const expected = `${name} ${prefix === '' ? 'production' : 'beta'}`;
        assert.equal(formatTenantHost(number === undefined ? spelled : `${spelled}:${number}`), expected);
      },
    ),
  );
});

test('[general.13] any other host names no tenant', () => {
  const exact = new Set(
    tenantNames.flatMap((name) => [`api.${name}.portal.example`, `beta.api.${name}.portal.example`]),
  );
  const label = fc.constantFrom('api', 'beta', 'portal', 'example', 'localhost', 'sund', 'fjord', '', ' ', '*', 'sünd');
  const near = fc.array(label, { maxLength: 6 }).map((labels) => labels.join('.'));
  const tail = fc.constantFrom('', ':', ':80', ':65536', ':-1', ':080808', '/', '.', '\0', ' ');
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), tail, (name, rest) => {
      const isPlace = exact.has(name) && ['', ':80'].includes(rest);
      assert.equal(formatTenantHost(name + rest) !== undefined, isPlace);
    }),
    { numRuns: 1000 },
  );
});

test('a built-in property name is no tenant, and a long host is no trouble', () => {
  for (const host of ['constructor', '__proto__', 'toString', 'a'.repeat(100_000), `${'a.'.repeat(50_000)}:1`])
    assert.equal(formatTenantHost(host), undefined);
});

const createIncomingMessage = (given: {
  headers?: Record<string, string>;
  rawHeaders?: string[];
  url?: string;
  originalUrl?: string;
}): IncomingMessage => ({ headers: {}, rawHeaders: [], url: '/', ...given }) as unknown as IncomingMessage;
const createMessageWithHosts = (
  hosts: readonly string[],
  target: { url?: string; originalUrl?: string } = {},
): IncomingMessage =>
  createIncomingMessage({
    headers: { host: hosts[0] ?? '' },
    rawHeaders: hosts.flatMap((host, index) => [index % 2 === 0 ? 'Host' : 'hOST', host]),
    ...target,
  });

test('[general.14] the host of HTTP/1 is the one Host field', () => {
  assert.equal(readRequestHost(createMessageWithHosts(['a'])), 'a');
  assert.equal(readRequestHost(createMessageWithHosts([])), undefined);
  assert.equal(readRequestHost(createMessageWithHosts(['a', 'a'])), undefined);
  assert.equal(readRequestHost(createMessageWithHosts(['a', 'b', 'c'])), undefined);
  const others = ['X-Forwarded-Host', 'b', 'Hosts', 'c', 'Hos', 'd', 'Value', 'Host'];
  assert.equal(
    readRequestHost(createIncomingMessage({ headers: { host: 'a' }, rawHeaders: ['host', 'a', ...others] })),
    'a',
  );
});

test('[general.14] an absolute-form target, as it was sent, wins over Host', () => {
  assert.equal(readRequestHost(createMessageWithHosts(['a'], { url: 'http://b/x' })), 'b');
  assert.equal(readRequestHost(createMessageWithHosts(['a'], { originalUrl: 'http://b:1/x?y', url: '/x?y' })), 'b:1');
  assert.equal(readRequestHost(createMessageWithHosts(['a'], { originalUrl: '/http://b/x', url: '/http://b/x' })), 'a');
  assert.equal(readRequestHost(createMessageWithHosts(['a'], { originalUrl: 'ftp://b/x', url: 'ftp://b/x' })), 'a');
  assert.equal(readRequestHost(createMessageWithHosts([], { originalUrl: 'http://b/x', url: '/x' })), undefined);
});

test('[general.14] the host of HTTP/2 is :authority, and an additional Host must agree', () => {
  assert.equal(readRequestHost(createIncomingMessage({ headers: { ':authority': 'a' } })), 'a');
  assert.equal(readRequestHost(createIncomingMessage({ headers: { ':authority': 'a', host: 'a' } })), 'a');
  assert.equal(readRequestHost(createIncomingMessage({ headers: { ':authority': 'a', host: 'b' } })), undefined);
});

test('an absolute form is split; every other form is left unchanged', () => {
  const forms: [target: string, authority: string, origin: string][] = [
    ['http://a', 'a', '/'],
    ['http://a/', 'a', '/'],
    ['https://a/b', 'a', '/b'],
    ['HTTP://A/b?c=d', 'A', '/b?c=d'],
    ['http://a?b', 'a', '/?b'],
    ['http://a:80/b#c', 'a:80', '/b'],
    ['http://u@a/b', 'u@a', '/b'],
    ['http:///b', '', '/b'],
    ['http://[::1]:8080/b', '[::1]:8080', '/b'],
    ['http://a//b', 'a', '//b'],
  ];
  for (const [target, authority, origin] of forms)
    assert.deepEqual(parseAbsoluteForm(target), { authority, origin }, target);
  for (const target of ['/', '/http://a/', '//a/b', '*', 'a:443', 'ftp://a/b', 'http:a', 'http:/a', 'xhttp://a', ''])
    assert.equal(parseAbsoluteForm(target), undefined, target);
});
