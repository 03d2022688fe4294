// Pages for people: only those who ask for text/html get them, in their language, and with nothing that the JSON does not
// say.
import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';
import { before, test } from 'node:test';
import { renderProblemPage } from '../../src/http/pages/problem-page.ts';
import { renderStartPage } from '../../src/http/pages/start-page.ts';
import { languages } from '../../src/lib/text/language.ts';
import { problems } from '../../src/lib/problem.ts';
import { attributeOf, readHtml, textOf } from '../documents/support/read-formats.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const programs = [undefined, '*/*', 'application/json', 'application/problem+json'];
/** The trace id of both answers. */
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const textsOf = (html: string, tag: string): string[] =>
  readHtml(html)
    .filter(({ tagName }) => tagName === tag)
    .map(textOf);

const listOf = (field: string | undefined): string[] => field?.split(', ') ?? [];

function assertHarmless({ headers, text }: HttpReply): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^ ]+'; img-src 'self';/,
  );
  assert.doesNotMatch(String(headers['content-security-policy']), /script-src|unsafe/);
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const elements = readHtml(text);
  assert.ok(!elements.some(({ tagName }) => tagName === 'script' || tagName === 'form' || tagName === 'iframe'));
  for (const { attrs } of elements)
    for (const { name, value } of attrs)
      assert.ok(!/^on|^style$/.test(name) && !/^\w+:/.test(value), `${name}=${value}`);
  for (const field of ['Accept', 'Accept-Language']) assert.ok(listOf(headers.vary).includes(field), field);
}

serviceSuite({}, ({ service, manager }) => {
  let limited = '';
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
    limited = (await createToken(service, { permissions: [] })).token;
  });

  const call = (path: string, accept: string | undefined, { headers, method = 'GET', ...options }: Asked = {}) =>
    service.call(method, path, {
      ...options,
      headers: { traceparent, ...headers, ...(accept === undefined ? {} : { accept }) },
    });
  type Asked = CallOptions & { readonly method?: string };

  const account = '/api/v1/banks/sund-B1001/account';
  const refusals: [heading: string, path: string, options?: () => Asked][] = [
    ['No portal has this address', '/', () => ({ host: 'localhost' })],
    ['No portal has this address', account, () => ({ host: 'api.oslo.localhost' })],
    ['There is no page at this address', '/nope'],
    ['There is no page at this address', '/favicon.ico'],
    ['You must be logged in to see this', account],
    ['You do not have the right to see this', account, () => ({ token: limited })],
    ['You do not have the right to see this', '/api/v1/banks/sund-B1999/account', () => manager],
    ['What this address names does not exist', '/download/windows/x64/none.msix'],
    ['This request cannot be carried out', '/', () => ({ method: 'POST' })],
    ['This request cannot be carried out', `${account}?%3Ci%3E=1&%22%27%26=2`, () => manager],
  ];

  test('a problem is a page for those who ask for one, with all that the JSON says and no more', async () => {
    for (const [heading, path, options = () => ({})] of refusals) {
      const json = await call(path, undefined, options());
      const page = await call(path, browser, options());
      assert.equal(page.status, json.status);
      assertHarmless(page);
      assert.deepEqual(textsOf(page.text, 'h1'), [heading], path);
      const { type: _type, title: _title, ...facts } = json.json as Record<string, unknown>;
      assert.deepEqual(
        Object.fromEntries(textsOf(page.text, 'dt').map((name, at) => [name, textsOf(page.text, 'dd')[at]])),
        Object.fromEntries(
          Object.entries(facts).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ),
      );
      const fields = ['www-authenticate', 'allow', 'cache-control', 'retry-after'] as const;
      assert.deepEqual(
        fields.map((field) => page.headers[field]),
        fields.map((field) => json.headers[field]),
      );
    }
  });

  test('programs get the same bytes of JSON, whatever they accept', async () => {
    for (const [, path, options = () => ({})] of [...refusals, ['', '/'] as const]) {
      const [first, ...others] = await Promise.all(programs.map((accept) => call(path, accept, options())));
      assert.match(String(first?.headers['content-type']), /^application\/(?:problem\+)?json\b/);
      assert.ok(listOf(first?.headers.vary).includes('Accept'));
      for (const other of others) assert.equal(other.text, first?.text);
    }
  });

  test('the start page leads to the pages for people, in the reader’s language', async () => {
    const page = await call('/', browser, { headers: { 'accept-language': 'da' } });
    assert.equal(page.status, 200);
    assertHarmless(page);
    assert.deepEqual([page.headers['content-language'], page.headers['cache-control']], ['da', 'public, max-age=600']);
    assert.deepEqual(textsOf(page.text, 'h1'), ['Sund: grænseflade for programmer']);
    const links = readHtml(page.text).flatMap((element) =>
      element.tagName === 'a' ? [attributeOf(element, 'href') ?? ''] : [],
    );
    assert.deepEqual(links.slice(0, 4), ['/console/', '/docs', '/download', '/api/v1/public/status']);
    // The console has tests of its own, for which it is built.
    for (const link of links.slice(1)) assert.equal((await call(link, browser)).status, 200, link);
    const known = { 'accept-language': 'da', 'if-none-match': String(page.headers.etag) };
    assert.equal((await call('/', browser, { headers: known })).status, 304);
    assert.equal((await call('/', browser, { headers: { ...known, 'accept-language': 'sv' } })).status, 200);
    assert.equal((await call('/', '*/*', { headers: known })).status, 200);
  });

  test('a slash that somebody typed behind the address of a page is no mistake', async () => {
    for (const [path, page] of [
      ['/docs/', '/docs'],
      ['/download/', '/download'],
      ['/docs/?document=public', '/docs?document=public'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await call(path, browser, { method });
        assert.deepEqual([status, headers.location], [308, page]);
        assert.ok(listOf(headers.vary).includes('Accept'));
      }
      assert.equal((await call(path, undefined)).json.code, 'unknown-route');
      assert.equal((await call(path, browser, { method: 'POST' })).status, 404);
    }
    for (const path of ['//', '//docs/', '/nope/', '//example.org/', '/docs//'])
      assert.equal((await call(path, browser)).headers.location, path === '//' ? '/' : undefined, path);
  });
});

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
});

/** One for each explanation. */
const codes = [
  'unknown-host',
  'unknown-route',
  'unauthenticated',
  'forbidden',
  'release-not-found',
  'too-many-requests',
  'storage-unavailable',
  'internal-error',
  'invalid-request',
] as const;

test('the HTML validator finds no fault in the pages in any language', async () => {
  for (const language of languages) {
    const start = renderStartPage({
      language,
      portal: 'Sund & <Søn>',
      console: '/console/',
      reference: '/docs',
      documents: [{ title: 'All', url: '/openapi/all-v1.json' }],
      status: '/api/v1/public/status',
    });
    const pages = codes.map((code) =>
      renderProblemPage({ language, problem: { code, status: problems[code].status }, hasStartPage: true }),
    );
    for (const page of [start, ...pages]) {
      const { results } = await validator.validateString(page);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
        [],
      );
    }
  }
});
