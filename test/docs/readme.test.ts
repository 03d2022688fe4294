// The README is the first thing a newcomer believes: its commands, its settings and its links are proven here.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings } from '../../src/config.ts';
import { builtInTenants } from '../../src/tenants.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

test('the settings table is the schema of the settings', () => {
  const told = [...read('README.md').matchAll(/^\| `(PORTAL_\w+)` \| (?:`(.*)`)? ?\| (.*) \|$/gm)].map(
    ([, variable, fallback = '', meaning]) => ({ variable, fallback, meaning }),
  );
  const declared = Object.values(settings).map(({ variable, fallback, meaning }) => ({ variable, fallback, meaning }));
  assert.deepEqual(told, declared);
});

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of pages)
    for (const [, name = ''] of read(page).matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts[name], `${page}: npm run ${name}`);
});

test('every file that a page links to exists', () => {
  for (const page of pages)
    for (const [, file = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, file)), `${page}: ${file}`);
});

test('the six tenants are named', () => {
  for (const { name } of builtInTenants) assert.match(read('README.md'), new RegExp(`\`${name}\``));
});
