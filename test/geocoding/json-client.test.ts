// Requests to providers: the outcome of each fault of the network or of the provider, and which hosts are never
// contacted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { createJsonClient, type JsonClientOptions } from '../../src/providers/http-client/json-client.ts';
import {
  brokenUtf8,
  closeAtOnce,
  cutBody,
  drip,
  hang,
  html,
  json,
  redirectTo,
  startFakeProvider,
  status,
  text,
  tooLarge,
  type Answer,
  type FakeProvider,
} from '../support/fake-provider.ts';
import { withNamesAt } from '../support/resolved-names.ts';

let provider: FakeProvider;
before(async () => {
  provider = await startFakeProvider();
});
after(() => provider.stop());
beforeEach(() => provider.answerWith(json(['fine'])));

const get = (url: string, options: Partial<JsonClientOptions> = {}) =>
  createJsonClient({ userAgent: 'test/1 (contact)', allowsPrivateAddresses: true, ...options }).get(new URL(url));

test('JSON is fetched with a User-Agent, in one request', async () => {
  assert.deepEqual(await get(`${provider.url}path?x=%C3%A5`), { ok: true, body: ['fine'] });
  assert.deepEqual(provider.requests, ['/path?x=%C3%A5']);
  assert.equal(provider.headers[0]?.['user-agent'], 'test/1 (contact)');
  assert.equal(provider.headers[0]?.['cookie'], undefined);
});

const faults: [name: string, answer: Answer, failure: string][] = [
  ['408', status(408), 'TransientFailure'],
  ['425', status(425), 'TransientFailure'],
  ['429', status(429), 'TransientFailure'],
  ['500', status(500), 'TransientFailure'],
  ['503', status(503), 'TransientFailure'],
  ['no answer', hang, 'TransientFailure'],
  ['an answer that comes byte by byte', drip, 'TransientFailure'],
  ['a body that is cut off', cutBody, 'TransientFailure'],
  ['a connection that is closed', closeAtOnce, 'TransientFailure'],
  ['a body of 2 MiB', tooLarge, 'TransientFailure'],
  ['HTML', html, 'TransientFailure'],
  ['an empty body', text(''), 'TransientFailure'],
  ['NaN', text('[NaN]'), 'TransientFailure'],
  ['broken UTF-8', brokenUtf8, 'TransientFailure'],
  ['400', status(400), 'PermanentFailure'],
  ['401', status(401), 'PermanentFailure'],
  ['403', status(403), 'PermanentFailure'],
  ['404', status(404), 'PermanentFailure'],
  ['410', status(410), 'PermanentFailure'],
  ['422', status(422), 'PermanentFailure'],
  ['204', status(204), 'PermanentFailure'],
  ['a redirect to a link-local address', redirectTo('http://169.254.169.254/latest/'), 'PermanentFailure'],
  ['a redirect to another port of loopback', redirectTo('http://127.0.0.1:1/'), 'PermanentFailure'],
];

for (const [name, answer, failure] of faults)
  test(`${name} is a ${failure}, and is asked for once`, async () => {
    provider.answerWith(answer);
    const startedMs = performance.now();
    const result = await get(provider.url, { timeoutMs: 300 });
    assert.equal(result.ok ? 'Success' : result.failure, failure, JSON.stringify(result));
    assert.equal(provider.requests.length, 1);
    assert.ok(performance.now() - startedMs < 2000);
  });

test('a redirect is not followed, even within the host', async () => {
  provider.answerWith(redirectTo('/other', 308), json(['followed']));
  const result = await get(provider.url);
  assert.equal(result.ok ? 'Success' : result.reason, 'a redirect');
  assert.deepEqual(provider.requests, ['/']);
});

test('a body of 256 KiB is read', async () => {
  const body = [' '.repeat(256 * 1024 - 4)];
  provider.answerWith(json(body));
  assert.deepEqual(await get(provider.url), { ok: true, body });
});

test('an unreachable or unknown host is a TransientFailure', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  for (const url of [
    `http://127.0.0.1:${port}/`,
    'http://nowhere.invalid/',
    `https://127.0.0.1:${new URL(provider.url).port}/`,
  ]) {
    const result = await get(url);
    assert.equal(result.ok ? 'Success' : result.failure, 'TransientFailure', url);
  }
});

test('the client never connects to a private address under any name, unless that is allowed', async () => {
  const { port } = new URL(provider.url);
  const hosts = [
    '127.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '2130706433',
    '0x7f.1',
    'localhost',
  ];
  for (const host of hosts) {
    const result = await get(`http://${host}:${port}/`, { allowsPrivateAddresses: false });
    assert.equal(result.ok ? 'Success' : result.failure, 'PermanentFailure', host);
  }
  assert.deepEqual(provider.requests, []);
});

test('the client connects to the address that it has checked', async () => {
  await withNamesAt(['8.8.8.8', '::ffff:169.254.169.254'], async () => {
    const result = await get('http://rebound.example/', { allowsPrivateAddresses: false });
    const expected = { ok: false, failure: 'PermanentFailure', reason: 'the host has a private address' };
    assert.deepEqual(result, expected);
  });
});
