// The packaged list of common passwords is what its script makes of the package that it comes from, and is read when it is
// needed.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createCommonPasswords } from '../../src/features/passwords/assets/common-passwords.ts';
import { commonPasswordFiles } from '../../scripts/common-passwords.ts';

test('the list is up to date (node scripts/common-passwords.ts)', () => {
  const root = join(import.meta.dirname, '../..');
  for (const [path, text] of Object.entries(commonPasswordFiles()))
    assert.ok(readFileSync(join(root, path), 'utf8') === text, path);
});

test('a list that could not be read is read again, and a list that was read is cached', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-passwords-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'common.txt');
  const passwords = createCommonPasswords(pathToFileURL(file));
  await assert.rejects(passwords.list(), { code: 'ENOENT' });
  writeFileSync(file, 'one\ntwo\n');
  assert.deepEqual([...(await passwords.list())], ['one', 'two']);
  rmSync(file);
  assert.equal((await passwords.list()).size, 2);
});
