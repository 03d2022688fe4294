// The documents and the reference page as the service sends them, and the page in a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createApp } from '../../src/app.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';

const host = 'api.sund.localhost';
const documents = [
  '/openapi/public-v1.json',
  '/openapi/downloads-v1.json',
  '/openapi/portal-v1.json',
  '/openapi/equipment-v1.json',
  '/openapi/all-v1.json',
];
const titles = ['Public v1 (no login)', 'Downloads v1', 'Portal integrations v1', 'Equipment v1', 'All of v1'];
let app: Awaited<ReturnType<typeof createApp>>;

before(async () => {
  app = await createApp(createDependenciesWithoutStorage());
});
after(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers: { host, ...headers } });

const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url);

test('[contract.14] the documents are read without login, and are 304 if they are known', async () => {
  for (const url of documents) {
    const { statusCode, headers } = await get(url);
    assert.equal(statusCode, 200);
    assert.match(String(headers['content-type']), /^application\/json\b/);
    assert.equal(headers['cache-control'], 'public, max-age=600');
    assert.match(String(headers.etag), /^"/);
    const again = await get(url, { 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag]);
  }
});

test('a document names the host that it was fetched from as its server, and no other', async () => {
  const served = async (asked: string) => {
    const { headers, ...response } = await get('/openapi/public-v1.json', { host: asked });
    return { etag: headers.etag, servers: response.json<{ servers: unknown }>().servers };
  };
  const [sund, upper, beta] = [
    await served('api.sund.localhost:8080'),
    await served('API.Sund.localhost:8080'),
    await served('beta.api.fjord.localhost'),
  ];
  assert.deepEqual(sund.servers, [{ url: 'http://api.sund.localhost:8080', description: 'Sund, production' }]);
  assert.deepEqual(upper, sund);
  assert.deepEqual(beta.servers, [{ url: 'http://beta.api.fjord.localhost', description: 'Fjord, beta' }]);
  assert.notEqual(beta.etag, sund.etag);
  const known = { host: 'beta.api.fjord.localhost', 'if-none-match': String(sund.etag) };
  assert.equal((await get('/openapi/public-v1.json', known)).statusCode, 200);
});

test('/ leads to the documents and to the reference page', async () => {
  const { statusCode, headers, ...response } = await get('/');
  assert.equal(statusCode, 200);
  assert.match(String(headers['content-type']), /^application\/json\b/);
  const index = response.json<{ reference: string; documents: { title: string; url: string }[] }>();
  assert.deepEqual(
    index.documents.map(({ title, url }) => [title, url]),
    documents.map((url, at) => [titles[at], url]),
  );
  for (const url of [index.reference, ...documents]) assert.equal((await get(url)).statusCode, 200, url);
  const links = '</openapi/all-v1.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"';
  assert.ok(String(headers['link']).startsWith(links));
});

test('[contract.15] /docs is a page without login over the documents', async () => {
  const { statusCode, headers, body } = await get('/docs');
  assert.equal(statusCode, 200);
  assert.match(String(headers['content-type']), /^text\/html\b/);
  for (const title of titles) assert.ok(body.includes(`>${title}<`), title);
  for (const url of documents) assert.ok(body.includes(`href="${url}"`), url);
  const assets = assetsOf(body);
  assert.ok(assets.length > 0);
  for (const url of assets) assert.equal((await get(url)).statusCode, 200, url);
});

test('the page loads nothing from other origins, and its policy allows nothing', async () => {
  const { headers, body } = await get('/docs');
  assert.doesNotMatch(body, /https?:|<style|style=|<script>|\son\w+=/);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  const script = await get('/docs/assets/reference.js');
  assert.doesNotMatch(script.body, /https?:/);
});

test('the browser caches assets, and gets 304 for those it knows', async () => {
  const { headers } = await get('/docs/assets/request.js');
  assert.equal(headers['cache-control'], 'public, max-age=600');
  const again = await get('/docs/assets/request.js', { 'if-none-match': String(headers.etag) });
  assert.equal(again.statusCode, 304);
});

test('only the page’s own assets can be requested', async () => {
  for (const name of [
    'index.html',
    'nothing.js',
    '..%2f..%2fpackage.json',
    '..%5cpackage.json',
    '%2e%2e/package.json',
    '%00',
  ]) {
    const response = await get(`/docs/assets/${name}`);
    assert.deepEqual([response.statusCode, response.json<{ code: string }>().code], [404, 'unknown-route'], name);
  }
});

test('document, page and assets need a known host, and allow GET, HEAD and OPTIONS', async () => {
  for (const url of ['/', '/docs', '/docs/assets/reference.js', ...documents]) {
    const elsewhere = await get(url, { host: 'api.nowhere.localhost' });
    assert.equal(elsewhere.json<{ code: string }>().code, 'unknown-host');
    const options = await app.inject({ method: 'OPTIONS', url, headers: { host } });
    assert.deepEqual([options.statusCode, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    const post = await app.inject({ method: 'POST', url, headers: { host } });
    assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
    const head = await app.inject({ method: 'HEAD', url, headers: { host } });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
  }
});

const skip = reasonWithout('chromium');

test(
  '[contract.15] a browser shows the operations of the document chosen, and its policy stops nothing',
  { skip },
  async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    for (const [at, [document, shown]] of [
      ['public', 'Public v1'],
      ['downloads', 'Downloads v1'],
      ['portal', 'GetBankAccountRevision'],
    ].entries()) {
      const { html, log } = await browse(`http://${host}:${port}/docs?document=${document}`);
      const reference = html.slice(html.indexOf('id="reference"'));
      assert.ok(html.includes(String(shown)), `${document} is not shown: ${log}`);
      assert.ok(reference.includes(`http://${host}:${port}`), 'the server offered is not the host of the page');
      assert.ok(html.includes(`id="source" href="${documents[at]}"`), 'the page does not link to the document');
      assert.equal([...html.matchAll(/<main\b/g)].length, 1, 'a page has one main part (WCAG 2.2, 1.3.1)');
      assert.doesNotMatch(log, /CONSOLE|Content Security Policy/);
    }
  },
);

/** The page as the browser has rendered it, and its console output. */
async function browse(url: string): Promise<{ html: string; log: string }> {
  const profile = await mkdtemp(join(tmpdir(), 'portal-chromium-'));
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const headless = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--virtual-time-budget=8000'];
  const output = ['--enable-logging=stderr', '--dump-dom', `--user-data-dir=${profile}`];
  try {
    const options = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(
      findProgram('chromium') ?? '',
      [...headless, ...quiet, ...output, url],
      options,
    );
    return { html: stdout, log: stderr };
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
