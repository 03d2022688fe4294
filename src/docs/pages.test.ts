// The committed pages are the same as the generated ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOperations } from '../app.ts';
import { readConfig } from '../config.ts';
import { problems } from '../lib/problem.ts';
import { createServices } from '../services.ts';
import { createGeneratedPages } from './pages.ts';

const { operations } = createOperations(createServices(readConfig({ PORTAL_LOG_LEVEL: 'silent' }), { demo: false }));
const pages = createGeneratedPages(operations);

for (const [path, text] of Object.entries(pages)) {
  test(`${path} is current (npm run docs)`, () => {
    const written = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    assert.equal(written.replaceAll('\r\n', '\n'), text);
  });
}

test('the errors page holds every code of the catalogue, and the other pages every operation', () => {
  for (const code of Object.keys(problems)) assert.ok(pages['docs/errors.md']?.includes(`| \`${code}\` |`), code);
  for (const { id } of operations) {
    assert.ok(pages['docs/operations.md']?.includes(`\n### ${id}\n`), id);
    assert.ok(pages['docs/permissions.md']?.includes(`\`${id}\``), id);
  }
});
