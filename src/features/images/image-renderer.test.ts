// What a family takes from its cache, and what it draws.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openVariantCache } from '../../providers/cache/variant-cache.ts';
import { computeRenderVersion } from './render-version.ts';
import { ImageRenderer } from './image-renderer.ts';

const directory = mkdtempSync(join(tmpdir(), 'portal-rendering-'));
const cache = openVariantCache({
  file: join(directory, 'pictures.sqlite'),
  log: pino({ level: 'silent' }),
  clock: Date.now,
  maxVariants: 100,
  maxBytes: 1_000_000,
  memoryBytes: 1_000_000,
});
after(async () => {
  await cache.close();
  rmSync(directory, { recursive: true });
});

const family = (name: string, edition: string): ImageRenderer =>
  new ImageRenderer(name, { cache: () => cache, renderVersion: () => edition });

const familyOf = (both: string): ImageRenderer => {
  const [name = '', edition = ''] = both.split(' ');
  return family(name, edition);
};

test('a picture is kept when it is asked for again, by its family and for its edition of the drawings', async () => {
  const drawn: string[] = [];
  const families = new Map(['logos first', 'circles first', 'logos second'].map((both) => [both, familyOf(both)]));
  for (const both of ['logos first', 'logos first', 'logos first', 'circles first', 'logos second', 'logos first']) {
    const answer = await families.get(both)?.renderSvg('key', () => {
      drawn.push(both);
      return `<svg>${both}</svg>`;
    });
    assert.equal(String(answer?.body), `<svg>${both}</svg>`);
  }
  assert.deepEqual(drawn, ['logos first', 'logos first', 'circles first', 'logos second']);
});

test('a dated picture is kept at once, with its date', async () => {
  const icons = new ImageRenderer('icons', {
    cache: () => cache,
    renderVersion: () => 'first',
    sendsLastModified: true,
  });
  const first = await icons.renderSvg('house', () => '<svg/>');
  const again = await icons.renderSvg('house', () => assert.fail('drawn again'));
  assert.deepEqual([again.lastModifiedMs, again.etag], [first.lastModifiedMs, first.etag]);
  assert.ok(first.lastModifiedMs !== undefined);
});

test('requests for an image that is being rendered wait for that rendering', async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let rendered = 0;
  const icons = family('icons', 'first');
  const answers = Array.from({ length: 16 }, async () =>
    icons.renderRaster('large', 'image/png', () => {
      rendered += 1;
      return promise;
    }),
  );
  resolve(Buffer.from('png'));
  for (const { body } of await Promise.all(answers)) assert.equal(String(body), 'png');
  assert.equal(rendered, 1);
});

test('the edition is the same as long as nothing that draws is changed', () => {
  assert.equal(computeRenderVersion(), computeRenderVersion());
  assert.match(computeRenderVersion(), /^[\w-]{12}$/);
});
