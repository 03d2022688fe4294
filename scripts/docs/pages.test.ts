// Checks that the committed pages are the same as the generated ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDependenciesWithoutStorage } from '../../test/support/dependencies-without-storage.ts';
import { createOperations } from '../../src/app.ts';
import { commandsOf } from '../../src/features/units/rules/command-catalogue.ts';
import { unitTypeCode, unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { allDefinitions, typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { problems } from '../../src/lib/problem.ts';
import { createGeneratedPages } from './pages.ts';

const { operations } = createOperations(createDependenciesWithoutStorage());
const pages = createGeneratedPages(operations);

for (const [path, text] of Object.entries(pages)) {
  test(`${path} is current (npm run docs)`, () => {
    const written = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    assert.equal(written.replaceAll('\r\n', '\n'), text);
  });
}

/** Of the page of settings. */
const sharedSections = [
  'Every unit',
  'Units with opening hours',
  'Units that residents use with keys',
  'Units that can be booked',
];

test('the settings page lists every unit type with its visible settings and states, and nothing hidden', () => {
  const text = pages['docs/settings.md'] ?? '';
  const [intro = '', ...sections] = text.split(/\n## /);
  const sectionOf = (title: string) => sections.find((section) => section.startsWith(`${title}\n`)) ?? '';
  assert.ok(intro.includes('GetUnitGroup'));
  for (const [index, type] of unitTypes.entries()) {
    assert.ok(sectionOf('Types of units').includes(`\n| ${index + 1} | [\`${type}\`](#${type}) | `), type);
    const linked = sharedSections.filter((title) =>
      sectionOf(type).includes(`(#${title.toLowerCase().replaceAll(' ', '-')})`),
    );
    assert.ok(
      commandsOf(unitTypeCode(type)).every((name) => sectionOf(type).includes(`\`${name}\``)),
      type,
    );
    const shown = [type, ...linked].map(sectionOf).join('\n');
    const names = [...shown.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
    const { visibleByName } = typeCatalogueOf(unitTypeCode(type));
    assert.equal(names.length, visibleByName.size, type);
    assert.deepEqual(new Set(names), new Set(visibleByName.keys()), type);
  }
  // The tables of types and groups have names of their own.
  const rows = text.slice(text.indexOf('\n## Every unit\n'));
  for (const { name, visible, valueType, group, constraints, unitOfMeasure, editable } of allDefinitions) {
    const row = new RegExp(`^\\| \`${name}\` \\|.*$`, 'm').exec(rows)?.[0] ?? '';
    assert.equal(row !== '', visible, name);
    if (!visible) continue;
    assert.ok(row.includes(`| \`${group}\` | \`${valueType}\` |`), name);
    for (const option of constraints.options ?? []) assert.ok(row.includes(`\`${option}\``), `${name}: ${option}`);
    if (unitOfMeasure !== undefined) assert.ok(sectionOf('Types of values').includes(`| \`${unitOfMeasure}\` |`), name);
    if (row.includes('read')) assert.equal(row.includes('read, write'), editable, name);
  }
});

test('the errors page holds every code of the catalogue, and the other pages every operation', () => {
  for (const code of Object.keys(problems)) assert.ok(pages['docs/errors.md']?.includes(`| \`${code}\` |`), code);
  for (const { id } of operations) {
    assert.ok(pages['docs/operations.md']?.includes(`\n### ${id}\n`), id);
    assert.ok(pages['docs/permissions.md']?.includes(`\`${id}\``), id);
  }
});
