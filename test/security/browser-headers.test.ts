// The header fields by which browsers protect their users, on pages, console and API: the tests of MDN's HTTP Observatory
// (https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring), each by its name. A page that passes all of
// them has the grade A+.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { HttpReply } from '../support/call.ts';
import { buildConsoleIfNeeded } from '../console/support/built-console.ts';
import { createSample } from '../http/support/operation-samples.ts';
import { serviceFixture } from '../support/service-suite.ts';

const { service, manager, started } = serviceFixture('sqlite');
before(async () => {
  await buildConsoleIfNeeded();
  await started;
});

const pages: readonly string[] = ['/', '/docs', '/download', '/nope', '/console/', '/console/banks'];

const asPage = (path: string): Promise<HttpReply> => service.call('GET', path, { headers: { accept: 'text/html' } });

/** Directive -> its sources. */
function directivesOf({ headers }: HttpReply): ReadonlyMap<string, string> {
  const policy = String(headers['content-security-policy'] ?? '');
  return new Map(
    policy.split(';').map((directive): [string, string] => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources.join(' ')];
    }),
  );
}

function assertPage(path: string, reply: HttpReply): void {
  assertPolicy(path, reply);
  // referrer-policy: a private one.
  assert.equal(reply.headers['referrer-policy'], 'no-referrer', `referrer-policy: ${path}`);
  assertOfEveryAnswer(path, reply);
}

function assertPolicy(path: string, reply: HttpReply): void {
  const directives = directivesOf(reply);
  const sourcesOf = (name: string): string => directives.get(name) ?? directives.get('default-src') ?? '*';
  // content-security-policy: no unsafe source, nothing by default, no insecure scheme.
  assert.equal(directives.get('default-src'), "'none'", `csp: ${path}`);
  for (const name of ['script-src', 'style-src', 'object-src', 'connect-src', 'img-src', 'font-src'])
    assert.doesNotMatch(sourcesOf(name), /unsafe-|\*|http:|https:(?:\s|$)/, `csp: ${path}: ${name}`);
  assert.match(sourcesOf('script-src'), /^(?:'none'|'self'|'(?:sha256|nonce)-[^ ]+')/, path);
  assert.equal(directives.get('base-uri'), "'none'", `csp: ${path}`);
  assert.equal(directives.get('form-action'), "'none'", `csp: ${path}`);
  // x-frame-options: met by frame-ancestors.
  assert.equal(directives.get('frame-ancestors'), "'none'", `x-frame-options: ${path}`);
}

function assertOfEveryAnswer(path: string, { headers }: HttpReply): void {
  // cookies: none. x-content-type-options: nosniff. cross-origin-resource-sharing: none without a configured origin.
  assert.equal(headers['set-cookie'], undefined, `cookies: ${path}`);
  assert.equal(headers['x-content-type-options'], 'nosniff', `x-content-type-options: ${path}`);
  assert.equal(headers['access-control-allow-origin'], undefined, `cross-origin-resource-sharing: ${path}`);
  // What tells an attacker the parts of the service.
  assert.equal(headers['server'], undefined, path);
  assert.equal(headers['x-powered-by'], undefined, path);
}

test('[attack.11] pages and console pass every test of the HTTP Observatory', async () => {
  for (const path of pages) {
    const reply = await asPage(path);
    assert.match(String(reply.headers['content-type']), /^text\/html/, path);
    assertPage(path, reply);
    // subresource-integrity, redirection: nothing comes from elsewhere, and nothing leads there.
    const elsewhere = [...reply.text.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]+)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => /^(?:https?:)?\/\//.test(address));
    assert.deepEqual(elsewhere, [], path);
  }
});

test('[attack.11] every operation passes every test of the HTTP Observatory; pictures may be shown by any page', async () => {
  let pictures = 0;
  for (const operation of createOperations(service.dependencies).operations) {
    if (operation.id === 'LogoutManager') continue;
    const { method, path, body } = createSample(operation);
    const reply = await service.call(method, path, { token: manager.token, body });
    assertOfEveryAnswer(operation.id, reply);
    const isPicture = String(reply.headers['content-type']).startsWith('image/');
    if (isPicture) assert.equal(reply.headers['content-security-policy'], undefined, operation.id);
    else assertPolicy(operation.id, reply);
    pictures += Number(isPicture);
  }
  assert.ok(pictures > 0);
});

test('[attack.11] refusals pass every test of the HTTP Observatory', async () => {
  const refusals: readonly [name: string, reply: HttpReply][] = [
    ['no route', await service.call('GET', '/api/v1/nope')],
    ['no token', await service.call('GET', '/api/v1/managers')],
    ['no JSON', await service.call('POST', '/api/v1/session', { rawBody: '{' })],
  ];
  for (const [name, reply] of refusals) {
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/, name);
    assertPolicy(name, reply);
    assertOfEveryAnswer(name, reply);
  }
});
