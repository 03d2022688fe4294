// Checks which images a renderer reads from its cache, and which it renders.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { cacheUnderTest } from '../../../../test/support/variant-caches.ts';
import { ImageRenderer, type RasterImage } from './image-renderer.ts';
import type { ImageRenderRequest } from './render-queue.ts';
import { computeRenderVersion } from '../assets/render-version.ts';

const { open } = cacheUnderTest({ after });
const cache = await open({ memoryBytes: 1_000_000 });

const renderer = (name: string, version: string): ImageRenderer =>
  new ImageRenderer(name, { cache, renderVersion: () => version });

const rendererOf = (both: string): ImageRenderer => {
  const [name = '', version = ''] = both.split(' ');
  return renderer(name, version);
};

const png = (key: string, render: () => Promise<Buffer>): RasterImage => ({ key, mediaType: 'image/png', render });
const requestFrom = (clientAddress: string): ImageRenderRequest => ({ clientAddress, isHeavy: true });
const heavyTurn = requestFrom('192.0.2.1');

test('an image is cached at its second request, by group and render version', async () => {
  const drawn: string[] = [];
  const renderers = new Map(['logos first', 'circles first', 'logos second'].map((both) => [both, rendererOf(both)]));
  for (const both of ['logos first', 'logos first', 'logos first', 'circles first', 'logos second', 'logos first']) {
    const answer = await renderers.get(both)?.renderSvg('key', () => {
      drawn.push(both);
      return `<svg>${both}</svg>`;
    });
    assert.equal(answer?.body, `<svg>${both}</svg>`);
  }
  assert.deepEqual(drawn, ['logos first', 'logos first', 'circles first', 'logos second']);
});

test('an image with sendsLastModified is cached at once, with its date', async () => {
  const icons = new ImageRenderer('icons', { cache, renderVersion: () => 'first', sendsLastModified: true });
  const first = await icons.renderSvg('house', () => '<svg/>');
  const again = await icons.renderSvg('house', () => assert.fail('drawn again'));
  assert.deepEqual([again.lastModifiedMs, again.etag], [first.lastModifiedMs, first.etag]);
  assert.ok(first.lastModifiedMs !== undefined);
});

test('requests for an image that is being rendered wait for that rendering', async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let rendered = 0;
  const icons = renderer('icons', 'first');
  const answers = Array.from({ length: 200 }, async () =>
    icons.renderRaster(
      png('large', () => {
        rendered += 1;
        return promise;
      }),
      heavyTurn,
    ),
  );
  resolve(Buffer.from('png'));
  for (const { body } of await Promise.all(answers)) assert.deepEqual(body, Buffer.from('png'));
  assert.equal(rendered, 1);
});

test('a client that shares the rendering of a refused client renders for itself', async () => {
  const icons = new ImageRenderer('icons', { cache, renderVersion: () => 'shared', maxWaitMs: 50 });
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const render = async (key: string, clientAddress: string, work = async (): Promise<Buffer> => Buffer.from(key)) =>
    icons.renderRaster(png(key, work), requestFrom(clientAddress));
  const running = ['one', 'two'].map((key) => render(key, '192.0.2.1', () => promise));
  const refused = assert.rejects(render('three', '192.0.2.1'), { code: 'too-many-renders' });
  const others = ['192.0.2.2', '192.0.2.3'].map((address) => render('three', address));
  for (const { body } of await Promise.all(others)) assert.deepEqual(body, Buffer.from('three'));
  await refused;
  resolve(Buffer.from('png'));
  await Promise.all(running);
});

test('a raster image has a strong entity tag of its bytes', async () => {
  const body = Buffer.from('png');
  const answer = await renderer('icons', 'first').renderRaster(
    png('tagged', async () => body),
    heavyTurn,
  );
  assert.equal(answer.etag, `"${createHash('sha256').update(body).digest('base64url')}"`);
});

test('an image on disk is drawn at the first request and read at the second', async () => {
  const draw = (): string => '<svg/>';
  const first = renderer('gradients', 'first');
  for (let times = 0; times < 2; times += 1) await first.renderSvg('stored', draw);
  await cache.close();
  const later = new ImageRenderer('gradients', { cache: await open(), renderVersion: () => 'first' });
  assert.ok(!(later.renderSvg('stored', draw) instanceof Promise));
  const again = later.renderSvg('stored', () => assert.fail('drawn again'));
  assert.ok(again instanceof Promise);
  assert.equal((await again).body, '<svg/>');
});

test('the render version does not change unless code or assets that draw change', () => {
  assert.equal(computeRenderVersion(), computeRenderVersion());
  assert.match(computeRenderVersion(), /^[\w-]{12}$/);
});
