// What the documentation says about commands, settings, files and words is true.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settings } from '../../src/config.ts';
import { createDemoManagers } from '../../demo/managers.ts';
import { builtInTenants } from '../../src/tenants.ts';
import { runPortal } from '../support/portal-process.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
const pages = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md') && file !== 'THIRD-PARTY-NOTICES.md')
    .map((file) => join(folder, file)),
);

const declared = Object.values(settings).map(({ variable, fallback, meaning }) => ({ variable, fallback, meaning }));

const readSettings = (page: string) =>
  [...read(page).matchAll(/^\| `(PORTAL_\w+)` \| (?:`(.*)`)? ?\| (.*) \|$/gm)].map(
    ([, variable, fallback = '', meaning]) => ({ variable, fallback, meaning }),
  );

test('the settings table is the schema of the settings', () => {
  assert.deepEqual(readSettings('docs/operating.md'), declared);
});

test('the settings in README.md exist', () => {
  const shown = readSettings('README.md');
  assert.ok(shown.length > 3);
  assert.deepEqual(
    shown,
    declared.filter(({ variable }) => shown.some((each) => each.variable === variable)),
  );
});

const readFirstCells = (page: string, heading: string): string[] => {
  const section = read(page).split(`# ${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
  return [...section.matchAll(/^\| `((?:\\\||[^|])*)` \|/gm)].map(([, cell = '']) => cell);
};

test('the table of commands has each command, and no others', async () => {
  // `manager activate\|deactivate --tenant T` are two.
  const told = readFirstCells('docs/operating.md', 'Commands').flatMap((cell) => {
    const words = cell.split(' ').filter((word) => /^[a-z|\\-]+$/.test(word) && !word.startsWith('-'));
    const [last = '', ...first] = words.toReversed();
    return last.split('\\|').map((name) => [...first.toReversed(), name]);
  });
  for (const group of [[], ['manager'], ['computer'], ['backup'], ['verify']]) {
    const { stdout } = await runPortal([...group, '--help']);
    const commands = stdout.split('Commands:\n')[1] ?? '';
    const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');
    const shown = told.filter((words) => words.length > group.length && group.every((name, at) => words[at] === name));
    assert.deepEqual(new Set(shown.map((words) => words[group.length])), new Set(names), group.join(' '));
  }
});

test('the table of demo managers has each of them', () => {
  const [tenant] = builtInTenants;
  assert.ok(tenant);
  assert.deepEqual(
    readFirstCells('docs/tour.md', 'Demo managers'),
    createDemoManagers(tenant, '').map(({ userName }) => userName),
  );
});

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of pages)
    for (const [, name = ''] of read(page).matchAll(/npm run (?:-s )?([\w:]+)/g))
      assert.ok(scripts[name], `${page}: npm run ${name}`);
});

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every file and heading that a page links to exists', () => {
  for (const page of pages)
    for (const [link, file = '', anchor] of read(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]*)#?([^)"]*)/g)) {
      const target = file === '' ? page : join(dirname(page), file);
      assert.ok(existsSync(join(root, target)), `${page}: ${link}`);
      if (anchor !== '' && anchor !== undefined)
        assert.ok(anchorsOf(target).includes(anchor), `${page}: ${link}) is no heading`);
    }
});

test('the six tenants are named', () => {
  for (const { name } of builtInTenants) assert.match(read('README.md'), new RegExp(`\`${name}\``));
});

/** Folders that each feature can have. */
const roles = new Set(['operations/', 'commands/', 'rules/', 'queries/', 'process/', 'assets/']);

test('every path that ARCHITECTURE.md and CONTRIBUTING.md name exists', () => {
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    const paths = [...read(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 10, page);
    for (const path of paths.filter((each) => !roles.has(each)))
      assert.ok(existsSync(join(root, path)) || existsSync(join(root, 'src', path)), `${page}: ${path}`);
  }
});

test('the first pages for a newcomer are short', () => {
  assert.ok(read('README.md').split('\n').length <= 110);
  assert.ok(read('ARCHITECTURE.md').split(/\s+/).length <= 1000);
});
