// The console as the service sends it: its page at every address of a screen, its files, their caching, and the policy.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { createApp } from '../../src/app.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { buildConsoleIfNeeded, consoleDist } from './support/built-console.ts';

const host = 'api.sund.localhost';
const hosts = [host, 'beta.api.sund.localhost', 'api.island.localhost'];
type App = Awaited<ReturnType<typeof createApp>>;

describe('a console that has been built', () => {
  let app: App;
  before(async () => {
    await buildConsoleIfNeeded();
    app = await createApp(createDependenciesWithoutStorage());
  });
  after(() => app.close());

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers: { host, ...headers } });
  const assetNames = (): string[] =>
    readdirSync(join(consoleDist, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
  const page = (): string => readFileSync(join(consoleDist, 'index.html'), 'utf8');

  test('[console.01] the page is at every address of a screen, on every host of a tenant', async () => {
    for (const path of ['/console/', '/console/login', '/console/banks/sund-B1001/account?Period=0', '/console/x/y/z'])
      for (const asked of hosts) {
        const { statusCode, headers, body } = await get(path, { host: asked });
        assert.equal(statusCode, 200, path);
        assert.equal(headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(headers['cache-control'], 'no-cache');
        assert.equal(body, page());
        const again = await get(path, { host: asked, 'if-none-match': String(headers.etag) });
        assert.deepEqual([again.statusCode, again.body], [304, '']);
      }
    assert.equal((await get('/console/', { host: 'api.nowhere.localhost' })).statusCode, 400);
  });

  test('the address without a slash leads to the one with it', async () => {
    for (const [path, location] of [
      ['/console', '/console/'],
      ['/console?next=1', '/console/?next=1'],
    ] as const) {
      const { statusCode, headers } = await get(path);
      assert.deepEqual([statusCode, headers.location], [308, location]);
    }
  });

  test('[console.02] hashed files may be kept for ever, and come as the build has compressed them', async () => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
    assert.ok(assetNames().length > 10);
    for (const name of assetNames()) {
      const content = readFileSync(join(consoleDist, 'assets', name));
      const plain = await get(`/console/assets/${name}`);
      assert.equal(plain.statusCode, 200, name);
      assert.match(String(plain.headers['content-type']), name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.deepEqual(plain.rawPayload, content);
      for (const [coding, decode] of Object.entries(decoders)) {
        const { headers, rawPayload } = await get(`/console/assets/${name}`, { 'accept-encoding': coding });
        assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'Accept-Encoding']);
        assert.ok(rawPayload.length < content.length || content.length < 600, name);
        assert.deepEqual(decode(rawPayload), content);
        assert.equal(headers.etag, `W/${String(plain.headers.etag)}`);
      }
    }
  });

  test('only files of the build can be requested as files', async () => {
    for (const name of ['', 'nothing.js', '..%2f..%2fpackage.json', '..%5cpackage.json', '%00', 'index.html']) {
      const { statusCode, ...response } = await get(`/console/assets/${name}`);
      assert.deepEqual([statusCode, response.json<{ code: string }>().code], [404, 'unknown-route'], name);
    }
  });

  test('page and files allow GET, HEAD and OPTIONS', async () => {
    for (const url of ['/console', '/console/', '/console/banks', `/console/assets/${assetNames()[0]}`]) {
      const allow = 'GET, HEAD, OPTIONS';
      const options = await app.inject({ method: 'OPTIONS', url, headers: { host } });
      assert.deepEqual([options.statusCode, options.headers.allow], [204, allow]);
      const post = await app.inject({ method: 'POST', url, headers: { host } });
      assert.deepEqual([post.statusCode, post.headers.allow], [405, allow]);
      const head = await app.inject({ method: 'HEAD', url, headers: { host } });
      assert.equal(head.body, '');
    }
  });

  test('[console.03] the policy allows files of this host alone, and no text that becomes markup', async () => {
    const { headers, body } = await get('/console/');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ', 1)[0], directive.split(' ').slice(1).join(' ')] as const),
    );
    assert.equal(policy.get('default-src'), "'none'");
    assert.equal(policy.get('script-src'), "'self'");
    assert.match(policy.get('style-src') ?? '', /^'self'(?: 'sha256-[A-Za-z0-9+/]{43}=')*$/);
    assert.equal(policy.get('connect-src'), "'self'");
    assert.equal(policy.get('frame-ancestors'), "'none'");
    assert.equal(policy.get('require-trusted-types-for'), "'script'");
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|\*|https?:/);
    assert.doesNotMatch(body, /<style|style=|<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
  });

  test('[console.04] the first view needs at most 185 kB of script and 15 kB of style, a screen at most 45 kB', () => {
    const sizeOf = (name: string): number =>
      gzipSync(readFileSync(join(consoleDist, 'assets', name)), { level: 9 }).length;
    const isFirst = (name: string): boolean => page().includes(`src="/console/assets/${name}"`);
    const scripts = assetNames().filter((name) => name.endsWith('.js'));
    const largestText = Math.max(...scripts.filter((name) => /^[a-z]{2}-/.test(name)).map(sizeOf));
    const first = scripts.filter(isFirst).reduce((sum, name) => sum + sizeOf(name), 0);
    assert.ok(first > 100_000 && first + largestText <= 185_000, `${first} + ${largestText} bytes`);
    for (const name of scripts.filter((each) => !isFirst(each)))
      assert.ok(sizeOf(name) <= 45_000, `${name}: ${sizeOf(name)} bytes`);
    const styles = assetNames().filter((name) => name.endsWith('.css'));
    assert.ok(styles.reduce((sum, name) => sum + sizeOf(name), 0) <= 15_000);
  });

  test('the files of a first view, and no others, ask for all their functions to be compiled while they arrive', () => {
    // Anywhere but at the beginning of a file the browser ignores it.
    const eager = assetNames().filter((name) =>
      readFileSync(join(consoleDist, 'assets', name), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'),
    );
    assert.deepEqual(
      eager.map((name) => name.replace(/-[\w-]{8}\.js$/, '')),
      ['account-screen', 'console', 'early', 'shared'],
    );
  });
});

test('[console.05] without a build the service runs all the same, and says how to build the console', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-console-'));
  const app = await createApp({ ...createDependenciesWithoutStorage(), consoleFolder: join(folder, 'dist') });
  try {
    const { statusCode, headers, body } = await app.inject({ url: '/console/banks', headers: { host } });
    assert.deepEqual([statusCode, headers['cache-control']], [503, 'no-store']);
    assert.match(body, /npm run console/);
    assert.equal((await app.inject({ url: '/docs', headers: { host } })).statusCode, 200);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true });
  }
});
