// The folder of releases: when packages are validated, what waits for a validation, and which files are never offered.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import pino, { type Logger } from 'pino';
import { openReleases, type Releases } from '../../src/providers/releases/releases.ts';
import { validateInThread, type ValidatePackage } from '../../src/providers/releases/validate-in-thread.ts';
import { createDeferred } from '../support/async.ts';
import { createReleaseFolder } from './support/release-folder.ts';

const folder = createReleaseFolder();
after(() => folder.remove());
beforeEach(() => {
  folder.clear();
  folder.describe({});
});
const site = { tenant: 'sund', environment: 'production' } as const;

type LogLine = { readonly msg: string; readonly file: string; readonly faults?: string[]; readonly fault?: string };

function createLog(): { readonly log: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as LogLine) }) };
}

const open = (
  validate?: ValidatePackage,
  { root = folder.root, log = createLog().log, maxWaitMs = 60_000 } = {},
): Releases => openReleases({ root, log, maxWaitMs, ...(validate === undefined ? {} : { validate }) });
const offers = async (releases: Releases): Promise<boolean> => (await releases.findOffered(site, 'x64')) !== undefined;

test('a package is validated once for any number of requests, and again when it has changed', async () => {
  const { path } = folder.put();
  let count = 0;
  const releases = open((request, signal) => {
    count += 1;
    return validateInThread(request, signal);
  });
  const found = await Promise.all(Array.from({ length: 20 }, () => releases.findOffered(site, 'x64')));
  assert.equal(new Set(found.map((each) => each?.sha256)).size, 1);
  assert.ok(await offers(releases));
  assert.equal(count, 1);
  utimesSync(path, 1, 1);
  assert.ok(await offers(releases));
  assert.equal(count, 2);
  folder.describe({ certificateSha256: ['0'.repeat(64)] });
  assert.equal(await offers(releases), false);
  assert.equal(count, 3);
  await releases.close();
});

test('a request does not wait for a long validation, which continues in the background', async () => {
  folder.put();
  const gate = createDeferred();
  const ended = createDeferred();
  const releases = open(
    async (request, signal) => {
      await gate.promise;
      const verdict = await validateInThread(request, signal);
      ended.resolve();
      return verdict;
    },
    { maxWaitMs: 200 },
  );
  assert.equal(await offers(releases), false);
  gate.resolve();
  await ended.promise;
  assert.equal(await offers(releases), true);
  await releases.close();
});

test('the result for one file never counts for another that replaced it during the validation', async () => {
  const { path } = folder.put({}, { publisher: 'CN=Other' });
  const bad = `${path}.bad`;
  renameSync(path, bad);
  folder.put();
  const releases = open(async (request, signal) => {
    // While the good package is validated, the bad one replaces it: before and after the result.
    const verdict = await validateInThread(request, signal);
    renameSync(bad, path);
    return verdict;
  });
  const found = await releases.findOffered(site, 'x64');
  assert.equal(found === undefined ? undefined : await releases.open(found), undefined);
  await releases.close();

  folder.put();
  const good = folder.put();
  const early = open(async (request, signal) => {
    rmSync(good.path);
    folder.put({}, { displayName: 'Another' });
    return validateInThread(request, signal);
  });
  assert.equal(await offers(early), false);
  await early.close();
});

test('a file outside of the folder, or behind a link, is not offered', async () => {
  const { path, fileName } = folder.put();
  const releases = open();
  assert.equal(await offers(releases), true);
  const elsewhere = join(folder.root, fileName);
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  assert.equal(await offers(releases), false);
  rmSync(path);
  renameSync(elsewhere, path);
  assert.equal(await offers(releases), true);
  const architectureFolder = join(folder.root, 'sund/production/x64');
  renameSync(architectureFolder, join(folder.root, 'moved'));
  symlinkSync(join(folder.root, 'moved'), architectureFolder);
  assert.equal(await offers(releases), false);
  rmSync(architectureFolder);
  rmSync(join(folder.root, 'moved'), { recursive: true });
  await releases.close();
});

test('the root itself may be a link, so that all releases can be changed at once', async () => {
  folder.put();
  const link = `${folder.root}-link`;
  symlinkSync(folder.root, link);
  const releases = open(undefined, { root: link });
  assert.equal(await offers(releases), true);
  rmSync(link);
  assert.equal(await offers(releases), false);
  await releases.close();
});

test('nothing is offered if the folder is missing, empty or not a folder', async () => {
  for (const root of [undefined, join(folder.root, 'nowhere'), join(folder.root, 'sund/production/release.json')]) {
    const releases = openReleases({ root, log: createLog().log });
    assert.equal(await offers(releases), false);
    await releases.close();
  }
});

test('the log names each fault once', async () => {
  const { log, lines } = createLog();
  const releases = open(undefined, { log });
  const { path } = folder.put({}, { publisher: 'CN=Other' });
  for (let count = 0; count < 3; count += 1) assert.equal(await offers(releases), false);
  assert.deepEqual(
    lines.map(({ file, msg }) => [file, msg]),
    [[path, 'the release is not valid and not offered']],
  );
  assert.match(lines[0]?.faults?.join('; ') ?? '', /identity: the publisher is CN=Other; expected CN=Example/);
  folder.describe({ version: 'latest' });
  for (let count = 0; count < 3; count += 1) assert.equal(await offers(releases), false);
  assert.match(lines[1]?.fault ?? '', /^version: expected four numbers/);
  assert.equal(lines.length, 2);
  folder.describe({});
  folder.put();
  assert.equal(await offers(releases), true);
  assert.equal(lines[2]?.msg, 'the release is valid and offered');
  await releases.close();
});

test('a description that is a folder or too long offers nothing', async () => {
  folder.put();
  const releases = open();
  const descriptor = join(folder.root, 'sund/production/release.json');
  writeFileSync(descriptor, `{${' '.repeat(70_000)}}`);
  assert.equal(await offers(releases), false);
  rmSync(descriptor);
  mkdirSync(descriptor);
  assert.equal(await offers(releases), false);
  await releases.close();
});

test('[download.09] a package that cannot be validated is not offered, and is tried again only after a minute', async () => {
  folder.put();
  const { log, lines } = createLog();
  const clock = { now: 0 };
  let count = 0;
  const releases = openReleases({
    root: folder.root,
    log,
    monotonic: () => clock.now,
    validate: (request, signal) => {
      count += 1;
      return count === 1 ? Promise.reject(new Error('the disk cannot be read')) : validateInThread(request, signal);
    },
  });
  for (clock.now = 0; clock.now < 60_000; clock.now += 20_000) assert.equal(await offers(releases), false);
  assert.deepEqual(
    [count, lines.map(({ msg }) => msg)],
    [1, ['the release could not be validated and is not offered']],
  );
  assert.equal(await offers(releases), true);
  clock.now *= 1000;
  assert.equal(await offers(releases), true);
  assert.equal(count, 2);
  await releases.close();
});

test('[download.09] a folder that cannot be read offers nothing, and is logged once a minute', async () => {
  const { log, lines } = createLog();
  const clock = { now: 0 };
  const releases = openReleases({ root: join(folder.root, 'x'.repeat(300)), log, monotonic: () => clock.now });
  for (; clock.now < 120_000; clock.now += 20_000) assert.equal(await offers(releases), false);
  assert.equal(lines.length, 2);
  assert.equal(lines[0]?.msg, 'the releases of a site cannot be read and are not offered');
  await releases.close();
});

test('closing the service ends a validation and the preparation at start without an error', async () => {
  folder.put();
  const started = createDeferred();
  const releases = open((_request, signal) => {
    signal.throwIfAborted();
    started.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const asked = releases.findOffered(site, 'x64');
  const prepared = releases.prepare([site]);
  await started.promise;
  await releases.close();
  await assert.rejects(asked, /the service stops/);
  await prepared;
});
