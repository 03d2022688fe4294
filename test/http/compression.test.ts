// Compressed answers: the same content in fewer bytes, for clients that accept it, with header fields that make caches
// distinguish them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { exportPath } from '../support/account-files.ts';
import {
  accountPath,
  createBankWithModel,
  formatAccountQuery,
  postingDraft,
  recordInBoth,
} from '../support/account-reads.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { contentCodings, decodeBody } from '../support/decode-body.ts';
import { insertTestManager } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const unknownParameters = Array.from({ length: 40 }, (_, at) => `x${at}=1`).join('&');
const icon = '/api/v1/icon/line/washer~n3.svg';

/** One large enough example of each kind of compressed answer. */
const paths = {
  problem: `/api/v1/session/me?${unknownParameters}`,
  manager: '/api/v1/session/me',
  svg: icon,
  catalog: '/api/v1/icon/catalog/line',
  openapi: '/openapi/all-v1.json',
  script: '/docs/assets/request.js',
  style: '/docs/assets/reference.css',
  page: '/docs',
};

// Makes problems the same each time.
const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';

const lasting = ({ headers }: HttpReply): unknown =>
  Object.entries(headers).filter(
    ([name]) => !['date', 'traceparent', 'x-request-id', 'transfer-encoding'].includes(name),
  );
const varies = ({ headers }: HttpReply): boolean => /(?:^|, )Accept-Encoding(?:,|$)/.test(headers.vary ?? '');

serviceSuite({ now: testNow }, ({ service, manager }) => {
  let account: string;
  let file: string;
  before(async () => {
    const book = await createBankWithModel(service);
    const drafts = Array.from({ length: 300 }, (_, at) =>
      postingDraft(testNow - at * 1000, { text: `Wash æøå ${at}` }),
    );
    await recordInBoth(service, book, drafts);
    const through = new Date(Date.UTC(2000, 0, 1) + testNow).toISOString().slice(0, 10);
    const from = new Date(Date.UTC(2000, 0, 1) + testNow - 2 * dayMs).toISOString().slice(0, 10);
    account = accountPath(book, 'Period=0&Limit=100');
    file = exportPath(book, 'csv', formatAccountQuery(book, { From: from, Through: through }));
  });

  const ask = (path: string, acceptEncoding?: string, options: CallOptions = {}, method = 'GET'): Promise<HttpReply> =>
    service.call(method, path, {
      token: manager.token,
      ...options,
      headers: {
        traceparent,
        ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
        ...options.headers,
      },
    });

  test('every kind of text is sent in each coding, and decodes to the same bytes', async () => {
    for (const path of [account, file, ...Object.values(paths)]) {
      const plain = await ask(path);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.ok(plain.bytes.length > 1024, `${path}: ${plain.bytes.length}`);
      assert.ok(varies(plain), path);
      for (const coding of contentCodings)
        // The second answer can come from a cache.
        for (let times = 0; times < 2; times += 1) {
          const coded = await ask(path, coding);
          assert.deepEqual([coded.status, coded.headers['content-encoding']], [plain.status, coding], path);
          assert.ok(decodeBody(coded.bytes, coding).equals(plain.bytes), path);
          assert.ok(coded.bytes.length < plain.bytes.length);
          assert.equal(coded.headers.vary, plain.headers.vary);
          assert.equal(coded.headers['content-type'], plain.headers['content-type']);
          if (coded.headers['transfer-encoding'] === undefined)
            assert.equal(Number(coded.headers['content-length']), coded.bytes.length);
          else assert.equal(path, file);
          const { etag } = plain.headers;
          assert.equal(coded.headers.etag, etag === undefined ? undefined : `W/${etag}`);
        }
    }
  });

  test('the client’s weights select the coding', async () => {
    for (const [field, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['zstd;q=0, *', 'br'],
      ['identity, gzip;q=0.5', undefined],
      ['deflate', undefined],
      ['gzip;q=0', undefined],
      ['*;q=0', undefined],
      ['', undefined],
    ] as const)
      for (const path of [account, file, icon])
        assert.equal((await ask(path, field)).headers['content-encoding'], coding, `${path} ${field}`);
  });

  test('[general.53] HEAD has the header fields of GET in every coding, and no body', async () => {
    for (const path of [account, file, ...Object.values(paths)])
      for (const coding of contentCodings) {
        const got = await ask(path, coding);
        const head = await ask(path, coding, {}, 'HEAD');
        assert.deepEqual([head.status, lasting(head), head.text], [got.status, lasting(got), ''], path);
      }
  });

  test('[general.50] a client with either form of the ETag gets 304 with that form', async () => {
    for (const path of [account, icon, paths.catalog, paths.openapi, paths.script]) {
      const { etag: strong = '' } = (await ask(path)).headers;
      assert.match(strong, /^"/);
      const weak = `W/${strong}`;
      for (const coding of [undefined, ...contentCodings])
        for (const [field, expected] of [
          [strong, strong],
          [weak, weak],
          [`"x", ${weak}`, weak],
          ['*', strong],
        ] as const) {
          const reply = await ask(path, coding, { headers: { 'if-none-match': field } });
          assert.deepEqual([reply.status, reply.headers.etag, reply.bytes.length], [304, expected, 0], path);
          assert.equal(reply.headers['content-encoding'], undefined);
          assert.ok(varies(reply));
          const head = await ask(path, coding, { headers: { 'if-none-match': field } }, 'HEAD');
          assert.deepEqual([head.status, lasting(head)], [304, lasting(reply)]);
        }
      const other = await ask(path, 'br', { headers: { 'if-none-match': '"x", W/"y"' } });
      assert.deepEqual([other.status, other.headers['content-encoding']], [200, 'br']);
    }
  });

  test('an answer smaller than 1 KB is not compressed, unless the client refuses that', async () => {
    for (const path of ['/api/v1/public/status', '/api/v1/icon/line/house.svg', '/api/v1/nope']) {
      const plain = await ask(path);
      const asked = await ask(path, 'zstd, br, gzip');
      assert.ok(plain.bytes.length < 1024);
      assert.deepEqual([lasting(asked), asked.text], [lasting(plain), plain.text]);
      assert.ok(varies(asked), path);
      const refusing = await ask(path, 'gzip, identity;q=0');
      assert.deepEqual([refusing.headers['content-encoding'], refusing.text], ['gzip', plain.text]);
    }
  });

  test('raster images and Excel files are not compressed', async () => {
    for (const path of [
      '/api/v1/icon/line/house/256.png',
      '/api/v1/icon/line/house/256.ico',
      file.replace('.csv', '.xls'),
    ]) {
      const plain = await ask(path);
      const asked = await ask(path, 'gzip, identity;q=0');
      assert.deepEqual([asked.status, asked.headers['content-encoding'], varies(asked)], [200, undefined, false], path);
      assert.equal(asked.headers.etag, plain.headers.etag);
      assert.equal(plain.headers.vary, asked.headers.vary);
    }
  });

  test('an answer with a token is never compressed, but a problem of the same operation can be', async () => {
    const credentials = { userName: 'compressed', password: 'a long and secret passphrase' };
    const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
    await service.write('sund', (db) => insertTestManager(db, { userName: credentials.userName, passwordHash }));
    const logIn = (body: unknown): Promise<HttpReply> =>
      ask('/api/v1/session/login', 'gzip, identity;q=0', { body }, 'POST');
    const { status, headers, json, bytes } = await logIn(credentials);
    assert.deepEqual([status, headers['content-encoding'], typeof json.accessToken], [200, undefined, 'string']);
    assert.ok(bytes.length > 1024);
    assert.doesNotMatch(headers.vary ?? '', /Accept-Encoding/);
    assert.equal((await logIn({ ...credentials, password: 'wrong' })).headers['content-encoding'], 'gzip');
  });

  test('a page of another origin can read compressed answers, and its images vary by origin and coding', async () => {
    const config = { ...service.dependencies.config, allowedOrigins: ['https://portal.example'] };
    const instance = await startInstance(service, { config });
    try {
      for (const headers of [{}, { origin: 'https://portal.example' }])
        for (const path of [account, icon, '/api/v1/nope']) {
          const reply = await instance.call('GET', path, {
            token: manager.token,
            headers: { ...headers, 'accept-encoding': 'br, identity;q=0' },
          });
          assert.match(reply.headers.vary ?? '', /^Origin, (?:.+, )?Accept-Encoding(?:, Accept)?$/, path);
          assert.equal(reply.headers['content-encoding'], 'br');
        }
    } finally {
      await instance.stop();
    }
  });

  test('an image has the same header fields and bytes on the fast path and through the framework, in every coding', async () => {
    for (const path of [icon, '/api/v1/circles/gradient/ff0000-0000ff.svg'])
      for (const coding of contentCodings) {
        const acceptEncoding = `${coding}, identity;q=0`;
        const viaFramework = await ask(path, acceptEncoding, { headers: { 'if-none-match': '"another"' } });
        assert.equal(viaFramework.headers['content-encoding'], coding);
        for (let times = 0; times < 3; times += 1) {
          const fast = await ask(path, acceptEncoding);
          assert.deepEqual(
            [new Map(lasting(fast) as []), fast.bytes],
            [new Map(lasting(viaFramework) as []), viaFramework.bytes],
          );
        }
      }
  });

  test('an answer whose schema names a secret is declared to hold one', () => {
    const { operations } = createOperations(service.dependencies);
    const namesSecret = /"(?:\w*(?:token|secret|password|apiKey)\w*|code":\{[^}]*Single use)/i;
    const holding = operations.filter(({ response }) => namesSecret.test(JSON.stringify(response ?? {})));
    assert.ok(holding.length > 0);
    for (const { id, holdsSecret } of holding) assert.equal(holdsSecret, true, id);
  });
});
