// The modules that the table of screens names: a name that is not that of a file would be found only in a browser.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../console/src');

test('each screen names a module that there is', () => {
  const text = readFileSync(join(folder, 'screens.ts'), 'utf8');
  const modules = Array.from(text.matchAll(/\bmodule: '([^']+)'/g), ([, name = '']) => name);
  assert.ok(modules.length > 30, String(modules.length));
  assert.deepEqual(
    modules.filter((name) => !existsSync(join(folder, `${name}.tsx`))),
    [],
  );
});
