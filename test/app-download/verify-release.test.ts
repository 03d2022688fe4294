// `release verify FILE`.

import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { runPortal } from '../support/portal-process.ts';
import { createReleaseFolder } from './support/release-folder.ts';

const folder = createReleaseFolder();
after(() => folder.remove());
beforeEach(() => {
  folder.clear();
  folder.describe({});
});
const verify = (path: string) => runPortal(['release', 'verify', path]);

test('a good package passes every check, and its facts are printed', async () => {
  const { path, bytes } = folder.put();
  const { code, stdout, stderr } = await verify(path);
  assert.equal(code, 0, stderr);
  for (const check of ['file', 'archive', 'contents', 'identity', 'block map', 'signature'])
    assert.match(stdout, new RegExp(`^${check} +ok `, 'm'));
  assert.match(stdout, /^publisher +CN=Example$/m);
  assert.match(stdout, new RegExp(`^size +${bytes.length} bytes$`, 'm'));
  assert.match(stdout, /^sha256 +[0-9a-f]{64}$/m);
  assert.doesNotMatch(stdout, /note:/);
});

test('a faulty package exits with 1, and says what is wrong and what could not be checked', async () => {
  const { path } = folder.put({}, { changeManifest: () => '<none/>', changeDigests: (digests) => digests.slice(1) });
  const { code, stdout, stderr } = await verify(path);
  assert.equal(code, 1);
  assert.match(stdout, /^identity +WRONG +AppxManifest\.xml is not the manifest/m);
  assert.match(stdout, /^signature +WRONG +changed since it was signed: the files in the archive \(digest AXPC\)$/m);
  assert.match(stdout, /^block map +ok/m);
  assert.match(stderr, /is not valid: it would not be offered/);
  const missing = await verify(join(folder.root, 'none.msix'));
  assert.equal(missing.code, 1);
  assert.match(missing.stdout, /^file +WRONG +the file cannot be opened: ENOENT/m);
  assert.match(missing.stdout, /^archive +not checked/m);
});

test('a package is compared with the release of its folder', async () => {
  const { path } = folder.put();
  folder.describe({ publisher: 'CN=Other', version: '1.2.4.0' });
  const { code, stdout } = await verify(path);
  assert.equal(code, 1);
  assert.match(stdout, /^identity +WRONG +the publisher is CN=Example; expected CN=Other/m);
  assert.match(stdout, /^note: release\.json offers version 1\.2\.4\.0, and not 1\.2\.3\.0$/m);
  folder.describe({ version: 'new' });
  const wrong = await verify(path);
  assert.deepEqual([wrong.code, /release\.json: version: expected/.test(wrong.stderr)], [1, true]);
});

test('a package in the folder of another architecture is not valid, since it would not be offered', async () => {
  const { path, fileName } = folder.put();
  const { path: other } = folder.put({ architecture: 'arm64' });
  const misplaced = join(dirname(other), fileName);
  renameSync(path, misplaced);
  const { code, stdout, stderr } = await verify(misplaced);
  assert.equal(code, 1);
  assert.match(stdout, /^file +WRONG +the file is looked for in a folder x64, and lies in arm64$/m);
  assert.match(stderr, /is not valid: it would not be offered/);
});

test('a file with a wrong name is told the right one', async () => {
  const { path } = folder.put();
  const copy = join(folder.root, 'setup.msix');
  copyFileSync(path, copy);
  const { code, stdout } = await verify(copy);
  assert.equal(code, 1);
  assert.match(stdout, /^file +WRONG +the file has to be named Example\.Portal_1\.2\.3\.0_x64\.msix$/m);
  assert.match(stdout, /^note: there is no release\.json two folders up/m);
});
