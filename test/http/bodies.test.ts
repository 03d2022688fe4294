// Request bodies: well-formed JSON of the declared shape, and no larger than the operation accepts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager, createToken } from '../support/factories.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';
import { serviceSuite } from '../support/service-suite.ts';

const login = '/api/v1/session/login';
const credentials = { userName: 'typist', password: 'a long and secret passphrase' };
const text = JSON.stringify(credentials);
/** The largest body that LoginManager accepts. */
const maxBytes = 8192;

const malformed = [
  '{',
  '}',
  '{"userName":"typist"',
  `${text}x`,
  `${text}${text}`,
  `${text},`,
  text.replaceAll('"', "'"),
  '{userName:"typist"}',
  '{"userName":"typist",}',
  '{"userName":NaN}',
  '{"userName":undefined}',
  '{"userName":01}',
  '{"userName":"a\nb"}',
  '{"userName":"\\x41"}',
  '// a comment\n{}',
  '\0',
  'null null',
  'userName=typist',
  '<xml/>',
  '[',
  '['.repeat(8000),
];

const poisoned = [
  `{"__proto__":{"admin":true},${text.slice(1)}`,
  `{"\\u005f\\u005fproto__":{"admin":true},${text.slice(1)}`,
  `{"constructor":{"prototype":{"admin":true}},${text.slice(1)}`,
  `{"nested":{"__proto__":null},${text.slice(1)}`,
];

const duplicates: [body: string, path: string][] = [
  [`{"userName":"owner",${text.slice(1)}`, 'body.userName'],
  [`{${text.slice(1, -1)},"password":"${credentials.password}"}`, 'body.password'],
  [`{"user\\u004eame":"owner",${text.slice(1)}`, 'body.userName'],
  [`{"deep":[{"er":{"a":1,"b":2,"a":1}}],${text.slice(1)}`, 'body.deep.0.er.a'],
  ['[{"a":1,"a":2}]', 'body.0.a'],
  [`{"${'x'.repeat(2000)}":1,"${'x'.repeat(2000)}":1}`, `body.${'x'.repeat(123)}`],
];

const misshapen: [body: unknown, path: string][] = [
  [null, 'body'],
  [[], 'body'],
  [[credentials], 'body'],
  ['text', 'body'],
  [0, 'body'],
  [true, 'body'],
  [{}, 'body.userName'],
  [{ userName: 'typist' }, 'body.password'],
  [{ ...credentials, userName: 1001 }, 'body.userName'],
  [{ ...credentials, userName: null }, 'body.userName'],
  [{ ...credentials, userName: ['typist'] }, 'body.userName'],
  [{ ...credentials, userName: { text: 'typist' } }, 'body.userName'],
  [{ ...credentials, userName: '' }, 'body.userName'],
  [{ ...credentials, userName: 'x'.repeat(129) }, 'body.userName'],
  [{ ...credentials, password: 'x'.repeat(1025) }, 'body.password'],
  [{ ...credentials, username: 'typist' }, 'body.username'],
  [{ ...credentials, remember: true }, 'body.remember'],
  [{ ...credentials, '': '' }, 'body.'],
  [{ ...credentials, toString: 'x' }, 'body.toString'],
];

serviceSuite({ manager: false }, ({ service }) => {
  before(async () => {
    const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
    await service.write('sund', (db) => insertTestManager(db, { userName: credentials.userName, passwordHash }));
  });

  const post = (rawBody: string | Buffer, headers: Record<string, string> = {}): Promise<HttpReply> =>
    service.call('POST', login, { rawBody, headers });

  const postChunked = (body: string) => {
    const chunks = (body.match(/[^]{1,1000}/g) ?? []).map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    const head = ['Host: api.sund.localhost', 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    return sendRaw(service.port, formatRawRequest(`POST ${login} HTTP/1.1`, head, `${chunks.join('')}0\r\n\r\n`));
  };

  test('[general.41] a malformed JSON body is 400', async () => {
    for (const body of malformed) {
      const { status, json } = await post(body);
      assert.deepEqual([status, json.code], [400, 'malformed-body'], body.slice(0, 40));
    }
  });

  test('[general.41] a body that is not UTF-8 is 400: it is neither corrected nor stored', async () => {
    for (const bytes of ['e9', 'ff', 'c080', 'eda0bd', 'f4908080', 'e282']) {
      const body = Buffer.from(text.replace('typist', 'typi??st'), 'latin1').toString('hex');
      const { status, json } = await post(Buffer.from(body.replace('3f3f', bytes), 'hex'));
      assert.deepEqual([status, json.code], [400, 'malformed-body'], bytes);
    }
  });

  test('a body declared with a content coding or another charset than UTF-8 is 415', async () => {
    const coded: [string | Buffer, Record<string, string>][] = [
      [gzipSync(text), { 'content-encoding': 'gzip' }],
      [text, { 'content-encoding': 'br' }],
      [text, { 'content-type': 'application/json; charset=iso-8859-1' }],
    ];
    for (const [body, headers] of coded) {
      const { status, json } = await post(body, headers);
      assert.deepEqual([status, json.code], [415, 'unsupported-media-type'], JSON.stringify(headers));
    }
    for (const headers of [{ 'content-encoding': 'identity' }, { 'content-type': 'application/json; charset="UTF-8"' }])
      assert.equal((await post(text, headers)).status, 200);
  });

  test('a body that names a prototype is 400', async () => {
    for (const body of poisoned) {
      const { status, json } = await post(body);
      assert.deepEqual([status, json.code], [400, 'malformed-body'], body);
    }
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  test('[general.41] a duplicate member of an object is 400 and named, at any depth', async () => {
    for (const [body, path] of duplicates) {
      const { status, json } = await post(body);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], body.slice(0, 80));
      assert.deepEqual(json.errors, [{ path, message: 'occurs more than once' }]);
    }
    // Another parser reads large numbers.
    const { json } = await post(`{"n":12345678901234567890,"n":1,${text.slice(1)}`);
    assert.equal(json.errors[0].path, 'body.n');
  });

  test('[general.35, general.41] an unknown field, a missing one and one of the wrong type are 400 and named', async () => {
    for (const [body, path] of misshapen) {
      const { status, json } = await post(JSON.stringify(body));
      assert.deepEqual([status, json.code], [400, 'invalid-request'], JSON.stringify(body));
      assert.equal(json.errors[0].path, path);
      for (const error of json.errors) {
        // Nothing else is told than what field-errors.test.ts looks at.
        const { code, limit, ...own } = error;
        assert.deepEqual(Object.keys(own), ['path', 'message']);
        assert.ok(own.message.length > 0 && code !== '' && limit !== '');
      }
    }
    assert.equal((await post(text)).status, 200);
  });

  test('[general.35] the errors name every field that is wrong, and not the whole of a hostile body', async () => {
    const { json } = await post('{"userName":1,"other":2}');
    const paths = json.errors.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths.toSorted(), ['body.other', 'body.password', 'body.userName']);
    const fields = Array.from({ length: 500 }, (_, at) => [`field${at}`, at]);
    const many = await post(JSON.stringify(Object.fromEntries(fields)));
    assert.ok(many.json.errors.length <= 20);
    const long = await post(JSON.stringify({ ...credentials, ['x'.repeat(5000)]: 1 }));
    assert.ok(long.text.length < 1000);
  });

  test('[general.41] an operation with a body requires one, and one without refuses one', async () => {
    const empty = await post('');
    assert.deepEqual([empty.status, empty.json.errors], [400, [{ path: 'body', message: 'is missing' }]]);
    const logout = async (rawBody: string): Promise<number> => {
      const { token } = await createToken(service);
      return (await service.call('POST', '/api/v1/session/logout', { token, rawBody })).status;
    };
    for (const body of ['', '{}', ' {} ']) assert.equal(await logout(body), 204, body);
    for (const body of ['{"all":true}', '[]', '[1]', 'null', '0', '"x"']) assert.equal(await logout(body), 400, body);
  });

  test('[general.41] a body larger than the operation accepts is 413, with and without its length', async () => {
    const padded = (bytes: number): string => text + ' '.repeat(bytes - text.length);
    assert.equal((await post(padded(maxBytes))).status, 200);
    assert.equal((await postChunked(padded(maxBytes))).status, 200);
    for (const bytes of [maxBytes + 1, 3 * maxBytes]) {
      const withLength = await post(padded(bytes));
      assert.deepEqual(
        [withLength.status, withLength.json.code, withLength.headers.connection],
        [413, 'payload-too-large', 'close'],
      );
      const { status, json } = await postChunked(padded(bytes));
      assert.deepEqual([status, json.code], [413, 'payload-too-large']);
    }
    // Bytes are counted, not characters.
    const wide = JSON.stringify({ ...credentials, password: 'ø'.repeat(maxBytes / 2) });
    assert.equal((await post(wide)).status, 413);
  });

  test('[general.41] a false Content-Length is refused before anything is read', async () => {
    const line = `POST ${login} HTTP/1.1`;
    const head = ['Host: api.sund.localhost', 'Content-Type: application/json'];
    const huge = await sendRaw(service.port, formatRawRequest(line, [...head, 'Content-Length: 1000000000']));
    assert.equal(huge.status, 413);
    for (const lie of ['Content-Length: -1', 'Content-Length: 0x10', 'Content-Length: 1\r\nContent-Length: 2'])
      assert.equal((await sendRaw(service.port, formatRawRequest(line, [...head, lie], text))).status, 400, lie);
    const smuggled = [...head, `Content-Length: ${text.length}`, 'Transfer-Encoding: chunked'];
    assert.equal((await sendRaw(service.port, formatRawRequest(line, smuggled, `0\r\n\r\n${text}`))).status, 400);
  });
});
