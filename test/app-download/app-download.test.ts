// The download of the app over HTTP: each host offers its own page, installer and package, and no others.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { listTextLanguages } from './support/read-page.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createReleaseFolder } from './support/release-folder.ts';

const folder = createReleaseFolder();
after(() => folder.remove());
const installerPath = (architecture = 'x64'): string => `/download/windows/${architecture}/portal.appinstaller`;
const packagePath = (fileName: string, architecture = 'x64'): string => `/download/windows/${architecture}/${fileName}`;

serviceSuite({ settings: { PORTAL_RELEASES: folder.root }, tenants: ['sund', 'fjord'] }, ({ service }) => {
  const call: typeof service.call = (method, path, options) => service.call(method, path, options);
  const get = (path: string, headers: Record<string, string> = {}, host?: string) =>
    service.call('GET', path, { headers, ...(host === undefined ? {} : { host }) });
  const statusOf = async (path: string, host?: string): Promise<number> => (await get(path, {}, host)).status;
  beforeEach(() => {
    folder.clear('sund');
    folder.clear('fjord');
  });

  describe('the page', () => {
    test('[download.01] is HTML for anyone, in the language of Accept-Language', async () => {
      folder.describe({});
      folder.put();
      for (const [header, language, text] of [
        ['da', 'da', 'Hent installationsfilen til x64'],
        ['fr-CA, en;q=0.5', 'fr', 'Télécharger le fichier d’installation pour x64'],
        ['no', 'nb', 'Last ned installasjonsfilen for x64'],
      ] as const) {
        const { status, headers, text: html } = await get('/download', { 'accept-language': header });
        assert.equal(status, 200);
        assert.equal(headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(headers['content-language'], language);
        assert.match(String(headers.vary), /\bAccept-Language\b/);
        assert.match(html, new RegExp(`<html lang="${language}">`));
        assert.ok(html.includes(text), text);
      }
    });

    test('is in the language that its link names, whatever Accept-Language prefers', async () => {
      for (const query of ['?Language=pl', '?language=pl']) {
        const { status, headers, text: html } = await get(`/download${query}`, { 'accept-language': 'da' });
        assert.deepEqual([status, headers['content-language']], [200, 'pl']);
        assert.match(html, /<html lang="pl">/);
      }
      for (const query of ['?Language=ja', '?Language=', '?Language=pl&Language=da', '?Lang=pl'])
        assert.equal((await get(`/download${query}`)).status, 400, query);
    });

    test('[download.03] is English for any language other than the ten', async () => {
      for (const header of ['ja', 'es-ES, it', '', '*']) {
        const { headers, text } = await get('/download', { 'accept-language': header });
        assert.equal(headers['content-language'], 'en', header);
        assert.match(text, /There is no version of the app/);
      }
    });

    test('[download.02] exists in ten languages, each with its own texts', async () => {
      folder.describe({});
      folder.put();
      const titles = new Set<string>();
      for (const language of ['da', 'en', 'sv', 'nb', 'fi', 'is', 'de', 'nl', 'fr', 'pl']) {
        const { headers, text } = await get('/download', { 'accept-language': language });
        assert.equal(headers['content-language'], language);
        assert.deepEqual(listTextLanguages(text), [language]);
        titles.add(/class="button"[^>]*>([^<]*)</.exec(text)?.[1] ?? '');
      }
      assert.equal(titles.size, 10);
    });

    test('shows version, date, size and SHA-256 of each architecture, the visitor’s own first', async () => {
      folder.describe({});
      const packages = { x64: folder.put(), arm64: folder.put({ architecture: 'arm64' }) };
      const read = async (headers: Record<string, string>): Promise<string> => (await get('/download', headers)).text;
      const html = await read({});
      for (const [architecture, { bytes, fileName }] of Object.entries(packages)) {
        const digest = createHash('sha256').update(bytes).digest('hex');
        assert.ok(html.includes(`<code>${digest.toUpperCase()}</code>`), architecture);
        assert.ok(html.includes(`href="${installerPath(architecture)}"`));
        assert.ok(html.includes(`href="${packagePath(fileName, architecture)}"`));
        assert.ok(html.includes(`${(bytes.length / 1000).toFixed(1)} kB`));
      }
      assert.match(html, /<dd>1\.2\.3\.0<\/dd>/);
      assert.match(html, /<time datetime="2026-11-20">20 November 2026<\/time>/);
      assert.doesNotMatch(html, /Suitable for this computer/);
      const orderOf = (text: string): string[] => [...text.matchAll(/<h2 id="(x64|arm64)"/g)].map(([, id = '']) => id);
      assert.deepEqual(orderOf(html), ['x64', 'arm64']);
      const hints = { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-bitness': '"64"' };
      const onArm = await read({ ...hints, 'sec-ch-ua-arch': '"arm"' });
      assert.deepEqual(orderOf(onArm), ['arm64', 'x64']);
      assert.match(onArm, /arm64\)<\/h2>\s*<p><span class="fits">Suitable for this computer/);
      assert.match(onArm, /Get-FileHash \.\\Example\.Portal_1\.2\.3\.0_arm64\.msix/);
      assert.deepEqual(orderOf(await read({ ...hints, 'sec-ch-ua-arch': '"x86"' })), ['x64', 'arm64']);
      const { headers } = await get('/download');
      assert.equal(headers['accept-ch'], 'Sec-CH-UA-Arch, Sec-CH-UA-Bitness');
      for (const field of ['Sec-CH-UA-Arch', 'Sec-CH-UA-Bitness', 'Sec-CH-UA-Platform', 'User-Agent'])
        assert.ok(String(headers.vary).split(', ').includes(field), field);
    });

    test('[download.08] is not stored, and cannot run scripts', async () => {
      const { headers, text } = await get('/download');
      assert.equal(headers['cache-control'], 'no-store');
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'/);
      const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
      assert.ok(policy.includes(createHash('sha256').update(style).digest('base64')));
      assert.doesNotMatch(text, /<script|\son\w+=|style="|ms-appinstaller:/i);
    });

    test('[download.09] says with status 200 that there is no release', async () => {
      const { status, text } = await get('/download');
      assert.equal(status, 200);
      assert.match(text, /There is no version of the app to download here yet\./);
      assert.doesNotMatch(text, /href="\/download\//);
    });

    test('answers HEAD with the length of the page', async () => {
      const { bytes } = await get('/download', { 'accept-encoding': 'identity' });
      const head = await call('HEAD', '/download', { headers: { 'accept-encoding': 'identity' } });
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      assert.equal(Number(head.headers['content-length']), bytes.length);
    });
  });

  describe('the installer', () => {
    test('[download.04, download.08] is there for anyone, with its length, and is not stored', async () => {
      folder.describe({});
      folder.put();
      const { status, headers, text, bytes } = await get(installerPath());
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/appinstaller');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['content-length'], String(bytes.length));
      assert.equal(headers['transfer-encoding'], undefined);
      assert.equal(headers['content-disposition'], 'attachment; filename="portal.appinstaller"');
      assert.match(
        text,
        /Name="Example\.Portal" Publisher="CN=Example" Version="1\.2\.3\.0" ProcessorArchitecture="x64"/,
      );
      const head = await call('HEAD', installerPath());
      assert.deepEqual([head.status, head.headers['content-length']], [200, String(bytes.length)]);
      // Never compressed: Windows needs the length of what it gets.
      const encoded = await get(installerPath(), { 'accept-encoding': 'gzip, br, zstd' });
      assert.equal(encoded.headers['content-encoding'], undefined);
      assert.equal(encoded.headers['content-length'], String(bytes.length));
    });

    test('names the host that it was fetched from, whatever proxies say', async () => {
      folder.describe({});
      folder.describe({}, { environment: 'beta' });
      const { fileName } = folder.put();
      folder.put({ environment: 'beta' });
      const forged = {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '1',
        forwarded: 'host=evil.example;proto=https',
      };
      for (const [host, expected] of [
        ['api.sund.localhost', 'http://api.sund.localhost'],
        ['API.sund.localhost:8080', 'http://api.sund.localhost:8080'],
        ['beta.api.sund.localhost:8080', 'http://beta.api.sund.localhost:8080'],
      ] as const) {
        const { text } = await get(installerPath(), forged, host);
        const uris = [...text.matchAll(/ Uri="([^"]*)"/g)].map(([, uri]) => uri);
        assert.deepEqual(uris, [`${expected}${installerPath()}`, `${expected}${packagePath(fileName)}`], host);
      }
    });
  });

  describe('the package', () => {
    test('[download.05, download.07] is sent whole, with length, strong ETag and ranges', async () => {
      folder.describe({});
      const { fileName, bytes } = folder.put();
      const { status, headers, bytes: received } = await get(packagePath(fileName), { 'accept-encoding': 'gzip' });
      assert.equal(status, 200);
      assert.equal(Buffer.compare(received, bytes), 0);
      assert.equal(headers['content-type'], 'application/msix');
      assert.equal(headers['content-length'], String(bytes.length));
      assert.equal(headers['content-encoding'], undefined);
      assert.equal(headers['transfer-encoding'], undefined);
      assert.equal(headers['accept-ranges'], 'bytes');
      assert.equal(headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
      assert.equal(headers['cache-control'], 'public, no-cache');
      assert.equal(headers['content-disposition'], `attachment; filename="${fileName}"`);
      const head = await call('HEAD', packagePath(fileName), { headers: { range: 'bytes=0-9' } });
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.equal(head.headers['content-length'], String(bytes.length));
      assert.equal(head.headers.etag, headers.etag);
    });

    test('[download.07] answers a range with 206, and the ETag in If-None-Match with 304', async () => {
      folder.describe({});
      const { fileName, bytes } = folder.put({}, { files: [{ name: 'portal.exe', content: largeContent }] });
      const path = packagePath(fileName);
      const size = bytes.length;
      for (const [range, first, last] of [
        ['bytes=0-0', 0, 0],
        ['bytes=1000-199999', 1000, 199_999],
        ['bytes=1000-', 1000, size - 1],
        ['bytes=-100', size - 100, size - 1],
      ] as const) {
        const { status, headers, bytes: received } = await get(path, { range });
        assert.equal(status, 206, range);
        assert.equal(headers['content-range'], `bytes ${first}-${last}/${size}`);
        assert.equal(headers['content-length'], String(last - first + 1));
        assert.equal(Buffer.compare(received, bytes.subarray(first, last + 1)), 0);
      }
      const several = await get(path, { range: 'bytes=0-1,5-6' });
      assert.deepEqual([several.status, several.bytes.length], [200, size]);
      const outside = await get(path, { range: `bytes=${size}-` });
      assert.deepEqual([outside.status, outside.json.code], [416, 'range-not-satisfiable']);
      assert.equal(outside.headers['content-range'], `bytes */${size}`);
      assert.equal(outside.headers['cache-control'], 'no-store');
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      for (const held of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
        const { status, headers, bytes: none } = await get(path, { 'if-none-match': held, range: 'bytes=0-1' });
        assert.deepEqual([status, none.length], [304, 0], held);
        assert.equal(headers['content-length'], undefined);
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
      for (const [ifRange, status] of [
        [etag, 206],
        ['"other"', 200],
        [`W/${etag}`, 200],
        ['Mon, 23 Nov 2026 00:00:00 GMT', 200],
      ] as const)
        assert.equal((await get(path, { range: 'bytes=5-9', 'if-range': ifRange })).status, status, ifRange);
      assert.equal((await get(path, { range: `bytes=${size}-`, 'if-range': '"other"' })).status, 200);
    });

    test('[download.07] is sent only if it is one that If-Match names, strongly', async () => {
      folder.describe({});
      const { fileName, bytes } = folder.put();
      const path = packagePath(fileName);
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      for (const [ifMatch, status] of [
        [etag, 206],
        [`"other", ${etag}`, 206],
        ['*', 206],
        ['"other"', 412],
        [`W/${etag}`, 412],
        [etag.slice(1, -1), 412],
      ] as const) {
        const found = await get(path, { range: 'bytes=5-9', 'if-match': ifMatch });
        assert.equal(found.status, status, ifMatch);
        if (status === 206) assert.equal(Buffer.compare(found.bytes, bytes.subarray(5, 10)), 0);
        else assert.equal(found.json.code, 'precondition-failed');
      }
      // Before every other condition, and before the range.
      const others = { 'if-none-match': etag, 'if-range': etag, range: `bytes=${bytes.length}-` };
      assert.equal((await get(path, { ...others, 'if-match': '"other"' })).status, 412);
      assert.equal((await get(path, { ...others, 'if-match': etag })).status, 304);
      assert.equal((await call('HEAD', path, { headers: { 'if-match': '"other"' } })).status, 412);
    });

    test('[download.05] has one file name: any other is 404', async () => {
      folder.describe({});
      const { fileName } = folder.put();
      folder.put({}, { version: '1.2.2.0' });
      assert.equal(await statusOf(packagePath(fileName)), 200);
      for (const other of [
        fileName.toLowerCase(),
        `${fileName}x`,
        fileName.replace('1.2.3.0', '1.2.2.0'),
        'release.json',
        '..%2frelease.json',
        `..%2fx64%2f${fileName}`,
        '%00',
        'portal.appinstaller.msix',
      ]) {
        const { status, json } = await get(packagePath(other));
        assert.deepEqual([status, json.code], [404, 'release-not-found'], other);
      }
    });

    test('an older version that the release keeps still has its file name', async () => {
      folder.describe({ keptVersions: ['1.2.2.0'] });
      const current = folder.put();
      const older = folder.put({}, { version: '1.2.2.0' });
      assert.equal(Buffer.compare((await get(packagePath(older.fileName))).bytes, older.bytes), 0);
      assert.equal(Buffer.compare((await get(packagePath(current.fileName))).bytes, current.bytes), 0);
      assert.match((await get(installerPath())).text, /Version="1\.2\.3\.0"/);
    });
  });

  const offers = async (architecture = 'x64', host?: string): Promise<boolean> => {
    const [installer, file, page] = await Promise.all([
      statusOf(installerPath(architecture), host),
      statusOf(packagePath(`Example.Portal_1.2.3.0_${architecture}.msix`, architecture), host),
      get('/download', {}, host),
    ]);
    assert.equal(installer, file);
    assert.equal(page.status, 200);
    assert.equal(page.text.includes(installerPath(architecture)), installer === 200);
    return installer === 200;
  };

  test('[download.06] the architectures are x64 and arm64, and no others', async () => {
    folder.describe({});
    folder.put();
    folder.put({ architecture: 'arm64' });
    folder.put({ architecture: 'x86' });
    assert.ok(await offers('x64'));
    assert.ok(await offers('arm64'));
    for (const other of ['x86', 'arm', 'neutral', 'X64', 'x64%20', '..'])
      assert.equal(await statusOf(installerPath(other)), 404, other);
  });

  test('[download.10] nothing is offered across tenants, environments and architectures', async () => {
    const hosts = { sund: 'api.sund.localhost', beta: 'beta.api.sund.localhost', fjord: 'api.fjord.localhost' };
    folder.describe({});
    folder.put();
    assert.deepEqual(
      [await offers('x64'), await offers('arm64'), await offers('x64', hosts.beta), await offers('x64', hosts.fjord)],
      [true, false, false, false],
    );
    // Neither a description without packages nor packages without a description are offered.
    folder.describe({}, { environment: 'beta' });
    folder.put({ tenant: 'fjord' });
    assert.deepEqual([await offers('x64', hosts.beta), await offers('x64', hosts.fjord)], [false, false]);
    folder.put({ environment: 'beta' });
    folder.describe({}, { tenant: 'fjord' });
    assert.deepEqual([await offers('x64', hosts.beta), await offers('x64', hosts.fjord)], [true, true]);
  });

  test('[download.09] a package that fails validation is not offered, until a valid one replaces it', async () => {
    folder.describe({});
    folder.put({}, { publisher: 'CN=Other' });
    assert.equal(await offers(), false);
    folder.put({}, { changeDigests: (digests) => digests.slice(1) });
    assert.equal(await offers(), false);
    folder.put();
    assert.equal(await offers(), true);
    folder.put({}, { changeBlockMap: () => '<none/>' });
    assert.equal(await offers(), false);
  });

  test('a changed description changes the release at once', async () => {
    folder.put();
    assert.equal(await offers(), false);
    for (const wrong of [
      { version: '1.2.4.0' },
      { publisher: 'CN=Other' },
      { name: 'Other' },
      { version: 'x' },
      { certificateSha256: ['0'.repeat(64)] },
    ]) {
      folder.describe(wrong);
      assert.equal(await offers(), false, JSON.stringify(wrong));
    }
    folder.describe({});
    assert.equal(await offers(), true);
    folder.describe({ releasedOn: '2027-01-02' });
    assert.match((await get('/download')).text, /2 January 2027/);
  });

  test('a query is refused', async () => {
    folder.describe({});
    const { fileName } = folder.put();
    for (const path of ['/download', installerPath(), packagePath(fileName)]) {
      const { status, json } = await get(`${path}?nothing=1`);
      assert.deepEqual([status, json.code], [400, 'invalid-request']);
      assert.equal((await call('POST', path)).status, 405);
      assert.equal((await get(path, {}, 'api.unknown.localhost')).json.code, 'unknown-host');
    }
  });
});

const largeContent = randomBytes(400_000);
