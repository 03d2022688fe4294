// What a family takes from its cache, and what it draws.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openVariantCache } from '../../providers/cache/variant-cache.ts';
import { editionOf } from './edition.ts';
import { Family } from './rendering.ts';

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

const family = (name: string, edition: string): Family =>
  new Family(name, { cache: () => cache, edition: () => edition });

test('a picture is drawn once, and again by another family or another edition of the drawings', async () => {
  const drawn: string[] = [];
  const ask = (name: string, edition: string) =>
    family(name, edition).svg('key', () => {
      drawn.push(`${name} ${edition}`);
      return `<svg>${name}</svg>`;
    });
  for (const [name, edition] of [
    ['logos', 'first'],
    ['logos', 'first'],
    ['circles', 'first'],
    ['logos', 'second'],
    ['logos', 'first'],
  ] as const)
    assert.equal(String((await ask(name, edition)).body), `<svg>${name}</svg>`);
  assert.deepEqual(drawn, ['logos first', 'circles first', 'logos second']);
});

test('requests for an image that is being rendered wait for that rendering', async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let rendered = 0;
  const icons = family('icons', 'first');
  const answers = Array.from({ length: 16 }, async () =>
    icons.raster('large', 'image/png', () => {
      rendered += 1;
      return promise;
    }),
  );
  resolve(Buffer.from('png'));
  for (const { body } of await Promise.all(answers)) assert.equal(String(body), 'png');
  assert.equal(rendered, 1);
});

test('the edition is the same as long as nothing that draws is changed', () => {
  assert.equal(editionOf(), editionOf());
  assert.match(editionOf(), /^[\w-]{12}$/);
});
