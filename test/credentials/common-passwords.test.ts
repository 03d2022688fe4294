// The packaged list of common passwords is what its script makes of the package that it comes from.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonPasswordFiles } from '../../scripts/common-passwords.ts';

test('the list is up to date (node scripts/common-passwords.ts)', () => {
  const root = join(import.meta.dirname, '../..');
  for (const [path, text] of Object.entries(commonPasswordFiles()))
    assert.ok(readFileSync(join(root, path), 'utf8') === text, path);
});
