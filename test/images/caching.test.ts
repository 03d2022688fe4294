// The cache of images, and its failures: folders that are full, damaged or not folders, and more requests than can be
// rendered at once.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createIconRenderer } from '../../src/features/icons/process/icon-renderer.ts';
import { iconsRoutes } from '../../src/features/icons/routes.ts';
import { ImageRenderer } from '../../src/features/images/process/image-renderer.ts';
import { imagesRoutes } from '../../src/features/images/routes.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { VariantCache } from '../../src/providers/cache/variant-cache.ts';
import type { Call } from '../support/call.ts';
import { startOperations } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import { cacheUnderTest, filesIn, hang } from '../support/variant-caches.ts';
import { dayMs } from '../support/times.ts';

const directories: string[] = [];
after(() => directories.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'portal-keeping-'));
  directories.push(directory);
  return directory;
}

const gradient = (at: number): string => `/api/v1/gradients/linear/${at.toString(16).padStart(6, '0')}-fff/30.svg`;
const icon = (at: number): string => `/api/v1/icon/line/washer~n${at + 1}.svg`;

/** A service over a directory of rendered images that outlives it. */
const started = (directory: string, clock: () => number = Date.now): Promise<TestService> =>
  startService('sqlite', { settings: { PORTAL_CACHE: directory }, clock });

async function askAll(call: Call, paths: readonly string[]): Promise<void> {
  for (const path of paths) assert.equal((await call('GET', path)).status, 200, path);
}

/** Requests an image from a separate service, twice, so that it is cached, and waits until it is on disk. */
async function askOnce(directory: string, paths: readonly string[], clock?: () => number): Promise<void> {
  const service = await started(directory, clock);
  await askAll(service.call, paths);
  await askAll(service.call, paths);
  await service.stop();
}

type CacheName = 'pictures' | 'icons';

function pathsOf(directory: string, name: CacheName): string[] {
  return filesIn(join(directory, name)).map((file) => join(directory, name, file));
}

function kept(directory: string, name: CacheName): { count: number; bytes: number; oldestMs: number } {
  const files = pathsOf(directory, name).map((path) => statSync(path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { count: files.length, bytes, oldestMs: Math.min(...files.map(({ mtimeMs }) => mtimeMs)) };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('[images.30] 512 of 600 pictures are kept on disk, and none for longer than a day', async () => {
  const directory = newDirectory();
  const start = Date.parse('2026-06-15T09:30:00Z');
  await askOnce(directory, upTo(600).map(gradient), () => start);
  const { count, bytes, oldestMs } = kept(directory, 'pictures');
  assert.deepEqual([count, oldestMs], [512, start]);
  assert.ok(bytes > 0 && bytes <= 32 * 1_048_576);
  const later = start + dayMs + 1000;
  await askOnce(directory, [gradient(700)], () => later);
  assert.deepEqual(kept(directory, 'pictures').count, 1);
});

test('[icons.28] an icon that was not requested in 100 days is removed, and a requested one stays', async () => {
  const directory = newDirectory();
  const start = Date.parse('2026-01-15T09:30:00Z');
  const at = (days: number) => () => start + days * dayMs;
  await askOnce(directory, [icon(1), icon(2)], at(0));
  await askOnce(directory, [icon(1)], at(60));
  await askOnce(directory, [icon(3)], at(99));
  assert.equal(kept(directory, 'icons').count, 3);
  await askOnce(directory, [icon(3)], at(101));
  assert.equal(kept(directory, 'icons').count, 2);
});

test('[images.31, icons.30] if the cache cannot be read or written, images are drawn again', async () => {
  const occupied = join(newDirectory(), 'a-file');
  writeFileSync(occupied, 'no directory');
  const paths = [gradient(1), '/api/v1/logos/brand/Brand.svg', icon(1), '/api/v1/icon/g/house/16.png'];
  const damaged = newDirectory();
  await askOnce(damaged, paths);
  const files = [...pathsOf(damaged, 'pictures'), ...pathsOf(damaged, 'icons')];
  assert.equal(files.length, 4);
  for (const file of files) writeFileSync(file, 'no image');
  for (const directory of [occupied, damaged, '/dev/null/nowhere']) await askOnce(directory, paths);
  // The images are the same as before.
  assert.ok(files.every((file) => statSync(file).size > 'no image'.length));
});

test('[images.29] the same picture has the same ETag from another process, on another day', async () => {
  const etags = new Set<unknown>();
  for (const clock of [Date.now, () => Date.now() + 3 * dayMs]) {
    const service = await started(newDirectory(), clock);
    const { headers } = await service.call('GET', gradient(5));
    assert.deepEqual([headers['cache-control'], headers['content-type']], ['public, max-age=600', 'image/svg+xml']);
    etags.add(headers.etag);
    const spared = await service.call('GET', gradient(5), { headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([spared.status, spared.text], [304, '']);
    await service.stop();
  }
  assert.equal(etags.size, 1);
});

test('[replicas.10] two processes can share the folder of rendered images, and each can render them anew', async () => {
  const [shared, own] = [newDirectory(), newDirectory()];
  const services = [await started(shared), await started(shared), await started(own)];
  const paths = [...upTo(20).map(gradient), ...upTo(20).map(icon)];
  const tagsOf = async ({ call }: TestService): Promise<string[]> => {
    const tags: string[] = [];
    for (const path of [...paths, ...paths]) {
      const { status, headers } = await call('GET', path);
      assert.equal(status, 200, path);
      tags.push(String(headers.etag));
    }
    return tags;
  };
  const [first, ...others] = await Promise.all(services.map(tagsOf));
  for (const tags of others) assert.deepEqual(tags, first);
  for (const service of services) await service.stop();
  for (const directory of [shared, own])
    assert.deepEqual([kept(directory, 'pictures').count, kept(directory, 'icons').count], [20, 20]);
  // A later process shows what is there.
  const later = await started(shared);
  assert.deepEqual(await tagsOf(later), first);
  await later.stop();
});

const families = ['logos', 'gradients', 'circles', 'icons'] as const;
type Family = (typeof families)[number];

const pathOf = (family: Family, at: number): string => {
  const color = at.toString(16).padStart(6, '0');
  if (family === 'logos') return `/api/v1/logos/brand/${color}.svg`;
  if (family === 'circles') return `/api/v1/circles/running/${color}.svg`;
  return family === 'gradients' ? gradient(at) : icon(at);
};

/** The image operations with a folder whose reads never time out. Requests that wait for a slot are refused soon. */
function patientOperations(cache: VariantCache, clock: () => number): Operation[] {
  const dependencies = { cache, renderVersion: () => 'tested', maxWaitMs: 100 };
  const rendererOf = (family: Family): ImageRenderer => new ImageRenderer(family, dependencies);
  const renderIcon = createIconRenderer(new ImageRenderer('icons', { ...dependencies, sendsLastModified: true }));
  return [
    ...imagesRoutes({
      logos: rendererOf('logos'),
      gradients: rendererOf('gradients'),
      circles: rendererOf('circles'),
    }),
    ...iconsRoutes({ clock, renderIcon }),
  ];
}

// Makes requests hang: they wait for a disk that does not answer.
test('[images.33, images.34, icons.31] a family has 16 slots; one more request is 429, and the other families are served', async (t) => {
  const service = await started(newDirectory());
  const { clock } = service.dependencies;
  for (const family of families) {
    const folder = cacheUnderTest(t);
    const paths = upTo(17).map((at) => pathOf(family, at));
    const cache = await folder.open();
    const first = await startOperations(service, patientOperations(cache, clock));
    for (let times = 0; times < 2; times += 1) await askAll(first.call, paths);
    await cache.close();
    const later = await startOperations(service, patientOperations(await folder.open(), clock));
    // SVG images are read from disk on their second request.
    for (const each of families) await askAll(later.call, [pathOf(each, 400)]);
    const disk = hang(folder.files().map((file) => join(folder.directory, file)));
    if (family !== 'icons') await askAll(later.call, paths);
    const replies = paths.map((path) => later.call('GET', path));
    const refused = await Promise.race(replies);
    assert.deepEqual(
      [refused.status, refused.json.code, refused.headers['retry-after']],
      [429, 'too-many-renders', '1'],
      family,
    );
    for (const other of families.filter((each) => each !== family))
      await askAll(later.call, [pathOf(other, 401), pathOf(other, 401)]);
    disk.release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 16);
    await askAll(later.call, paths);
    await Promise.all([first.stop(), later.stop()]);
  }
  await service.stop();
});

test('[icons.30, icons.31] an icon that cannot be rendered is 503 icon-unavailable, and the next one succeeds', async (t) => {
  const service = await started(newDirectory());
  const { clock } = service.dependencies;
  const cache = await cacheUnderTest(t).open();
  const renderIcon = createIconRenderer(new ImageRenderer('icons', { cache, renderVersion: () => 'tested' }));
  let broken = true;
  const testServer = await startOperations(
    service,
    iconsRoutes({
      clock,
      renderIcon: (key, image, address) => renderIcon(key, broken ? { ...image, draw: () => '<svg' } : image, address),
    }),
  );
  const failed = await testServer.call('GET', '/api/v1/icon/line/house/64.png');
  assert.deepEqual([failed.status, failed.json.code], [503, 'icon-unavailable']);
  assert.match(failed.headers['retry-after'] ?? '', /^\d+$/);
  assert.doesNotMatch(failed.text, /svg|sharp|Error/);
  broken = false;
  assert.equal((await testServer.call('GET', '/api/v1/icon/line/house/64.png')).status, 200);
  await testServer.stop();
  await service.stop();
});
