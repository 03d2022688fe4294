// The layout of the features: every file stands where ARCHITECTURE.md says.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { createOperations } from '../src/app.ts';
import { serviceFixture } from './support/service-suite.ts';

const root = join(import.meta.dirname, '..');
const sourcesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** `GetBankAccount` -> `get-bank-account`. */
const kebabCase = (id: string): string => id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
const camelCase = (id: string): string => id.charAt(0).toLowerCase() + id.slice(1);

const roles = new Set(['operations', 'queries', 'rules']);
/**
 * Folders beside the roles: declared data of units, the checks that the verify commands run, and what makes the forms of a
 * document: a renderer for each, the parts of a chart, and the threads that they run in.
 */
const otherFolders = new Set([
  'src/features/units/catalogue',
  'src/features/account/verification',
  'src/features/documents/forms',
  'src/features/documents/chart',
  'src/features/documents/rendering',
]);

test('the files of a feature stand in the folder of their role, or beside the roles under a name of their own', () => {
  const strays = sourcesIn('src/features/*/*/**/*.ts').filter((path) => {
    const [, , feature = '', folder = '', ...rest] = path.split('/');
    return rest.length !== 1 || !(roles.has(folder) || otherFolders.has(`src/features/${feature}/${folder}`));
  });
  assert.deepEqual(strays, []);
});

test('SQL stands in queries alone', () => {
  const sqlPattern = /\bsql`|\brunPrepared\(|\.(?:selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom)\(/;
  const strays = sourcesIn('src/{commands,features,http,permissions,lib}/**/*.ts')
    .filter((path) => !path.includes('/queries/'))
    .filter((path) => sqlPattern.test(textOf(path)));
  assert.deepEqual(strays, []);
});

const { service } = serviceFixture('sqlite', { manager: false });

test('a file of operations is named for an operation, and exports it', () => {
  const ids = createOperations(service.services).operations.map(({ id }) => id);
  for (const path of sourcesIn('src/features/*/operations/*.ts')) {
    const id = ids.find((each) => `${kebabCase(each)}.ts` === basename(path));
    assert.ok(id !== undefined, `${path} names no operation`);
    // The variants of an image share a function under a name of its own.
    const isImage = /\/(?:images|icons)\//.test(path);
    if (!isImage) assert.match(textOf(path), new RegExp(`export (?:async )?function\\*? ${camelCase(id)}\\b`), path);
  }
});

test('every operation of a manager has a file of its own', () => {
  const files = new Set(sourcesIn('src/features/*/operations/*.ts').map((path) => basename(path)));
  const missing = createOperations(service.services)
    .operations.filter(({ access }) => access !== 'anyone')
    .filter(({ id }) => !files.has(`${kebabCase(id)}.ts`))
    .map(({ id }) => id);
  assert.deepEqual(missing, []);
});
