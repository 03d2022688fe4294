// Every picture of the three families over HTTP: its answer, its hosts, and its caching.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../src/tenants.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { serviceFixture } from '../support/service-suite.ts';

/** An example of each operation, with the width and the height that its root element has. */
const pictures = [
  ['GetBrandLogo', '/api/v1/logos/brand/Brand.svg', undefined, undefined],
  ['GetBrandLogoSized', '/api/v1/logos/brand/Brand/64.svg', '64', '64'],
  ['GetBrandLogoWithBackground', '/api/v1/logos/brand/Paper/BrandDeep/64.svg', '64', '64'],
  ['GetBrandText', '/api/v1/logos/brand-text/0E5A66.svg', undefined, undefined],
  ['GetBrandTextSized', '/api/v1/logos/brand-text/Brand/295.svg', '295', '55.5'],
  ['GetBrandTextWithBackground', '/api/v1/logos/brand-text/Brand/fff/590.svg', '590', '111'],
  ['GetBrandLogoText', '/api/v1/logos/brand-logo-text/black.svg', undefined, undefined],
  ['GetBrandLogoTextSized', '/api/v1/logos/brand-logo-text/Brand/255.svg', '255', '51'],
  ['GetBrandLogoTextWithBackground', '/api/v1/logos/brand-logo-text/white/Brand/4096.svg', '4096', '819.2'],
  ['GetLinearGradient', '/api/v1/gradients/linear/Brand-BrandBright/90.svg', '200', '200'],
  ['GetLinearGradientSized', '/api/v1/gradients/linear/Brand-F80-Accent/-22.5/320x180.svg', '320', '180'],
  ['GetCircleGradient', '/api/v1/circles/gradient/000-00F.svg', '200', '200'],
  ['GetCircleGradientSized', '/api/v1/circles/gradient/red-transparent/16x4096.svg', '16', '4096'],
  ['GetCircleProgress', '/api/v1/circles/progress/transparent/Online-Warning/72.svg', '200', '200'],
  ['GetCircleProgressSized', '/api/v1/circles/progress/white/red-lime-blue-black/100/320x200.svg', '320', '200'],
  ['GetCircleRunning', '/api/v1/circles/running/Running.svg', '200', '200'],
  ['GetCircleRunningSized', '/api/v1/circles/running/Running/64x48.svg', '64', '48'],
] as const;

const { service } = serviceFixture('sqlite', { manager: false });

const call: TestService['call'] = (...args) => service.call(...args);

test('[images.01] every picture is served without a token on every tenant’s hosts, and is the same on all', async () => {
  for (const [id, path] of pictures) {
    const bodies = new Set<string>();
    for (const { name } of builtInTenants) {
      for (const host of [`api.${name}.localhost`, `beta.api.${name}.localhost`]) {
        const { status, text } = await call('GET', path, { host });
        assert.equal(status, 200, `${id} ${host}`);
        bodies.add(text);
      }
    }
    assert.equal(bodies.size, 1, id);
  }
  const elsewhere = await call('GET', pictures[0][1], { host: 'api.nowhere.localhost' });
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [400, 'unknown-host']);
});

test('an invalid token does not prevent access to a picture', async () => {
  const { status } = await call('GET', pictures[0][1], { token: 'no-token-of-anyone' });
  assert.equal(status, 200);
});

test('[images.07, images.08, images.09, images.14, images.21, images.23, images.27] every operation answers under its path', async () => {
  for (const [id, path, width, height] of pictures) {
    const { status, headers, text } = await call('GET', path);
    assert.equal(status, 200, id);
    assert.match(String(headers['content-type']), /^image\/svg\+xml(;|$)/, id);
    assert.equal(headers['cache-control'], 'public, max-age=600', id);
    assert.match(String(headers.etag), /^"[^"]+"$/, id);
    assert.match(text, /^<svg [^>]*viewBox="[^>]*>.*<\/svg>$/, id);
    const [root = ''] = text.split('>', 1);
    assert.equal(/ width="([^"]+)"/.exec(root)?.[1], width, id);
    assert.equal(/ height="([^"]+)"/.exec(root)?.[1], height, id);
  }
});

test('HEAD answers the same as GET, without the bytes', async () => {
  for (const [id, path] of pictures) {
    const get = await call('GET', path);
    const head = await call('HEAD', path);
    assert.deepEqual([head.status, head.text], [200, ''], id);
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag'])
      assert.equal(head.headers[name], get.headers[name], `${id} ${name}`);
  }
});

test('a client that has a picture gets 304, with the time for which it can cache it', async () => {
  for (const [id, path] of pictures) {
    const { headers } = await call('GET', path);
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await call('GET', path, { headers: { 'if-none-match': known } });
      assert.deepEqual([again.status, again.text], [304, ''], `${id} ${known}`);
      // The ETag has the form that the client sent.
      const expected = known.startsWith('W/') ? known : etag;
      assert.deepEqual([again.headers.etag, again.headers['cache-control']], [expected, 'public, max-age=600']);
    }
    const other = await call('GET', path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200, id);
  }
});

test('different pictures have different ETags, and different spellings of one picture the same', async () => {
  const etagOf = async (path: string): Promise<unknown> => (await call('GET', path)).headers.etag;
  const etags = await Promise.all(pictures.map(([, path]) => etagOf(path)));
  assert.equal(new Set(etags).size, pictures.length);
  assert.equal(
    await etagOf('/api/v1/gradients/linear/red-00f/90.svg'),
    await etagOf('/api/v1/gradients/linear/%46f0000-BLUE/-270.0/200x200.svg'),
  );
  assert.equal(
    await etagOf('/api/v1/logos/brand/red/64.svg'),
    await etagOf('/api/v1/logos/brand/F00/transparent/64.svg'),
  );
});

test('[images.19] -90 is drawn as 270, 450 as 90', async () => {
  const textOf = async (angle: string): Promise<string> =>
    (await call('GET', `/api/v1/gradients/linear/red-blue/${angle}.svg`)).text;
  assert.equal(await textOf('-90'), await textOf('270'));
  assert.equal(await textOf('450'), await textOf('90'));
});

test(
  'a browser shows every picture that its page asks for, of the size the picture has',
  { skip: noBrowser },
  async () => {
    const browser = await openBrowser();
    try {
      for (const [id, path, width, height] of pictures) {
        const shown = await browser.naturalSize(`http://api.sund.localhost:${service.port}${path}`);
        if (width === undefined) assert.ok(shown.width > 0 && shown.height > 0, id);
        else assert.ok(shown.width === Number(width) && Math.abs(shown.height - Number(height)) < 1, id);
      }
    } finally {
      await browser.close();
    }
  },
);
