// The layout of the features: every file is where ARCHITECTURE.md says.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { test } from 'node:test';
import { createOperations } from '../src/app.ts';
import { importKindNames } from '../src/features/import-kinds/rules/kind-names.ts';
import { serviceFixture } from './support/service-suite.ts';

const root = join(import.meta.dirname, '..');
const sourcesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const lineCountOf = (path: string): number => textOf(path).split('\n').length;

/** What every file imports of ours: the path, and the names; tests of a file beside it count as tests. */
const imports = globSync('{src,demo,test,bench,scripts}/**/*.{ts,mjs}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .flatMap((from) =>
    [
      ...textOf(from).matchAll(/^(?:import|export) (?:type )?([^;'"]*?)\bfrom '(\.[^']+)';$|\bimport\('(\.[^']+)'\)/gm),
    ].map(([, names = '*', path, dynamicPath]) => ({
      from,
      path: posix.join(posix.dirname(from), path ?? dynamicPath ?? ''),
      names: names.includes('*') ? undefined : new Set(names.match(/\w+(?= as )|\w+(?=\s*[,}])/g)),
    })),
  );

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Of sources, benchmarks and what tests share. */
const importersOf = (path: string): string[] => [
  ...new Set(imports.filter((each) => each.path === path && !isTest(each.from)).map(({ from }) => from)),
];

/** `GetBankAccount` -> `get-bank-account`. */
const kebabCase = (id: string): string => id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
const camelCase = (id: string): string => id.charAt(0).toLowerCase() + id.slice(1);

/** The files and folders of a feature that the table of ARCHITECTURE.md lists: `access.ts`, `rules/`, `read-….ts`. */
const roles = [...textOf('ARCHITECTURE.md').matchAll(/^\| (`[^|]+`) \|/gm)]
  .flatMap(([, names = '']) => names.split(', '))
  .map((name) => name.replaceAll('`', ''))
  .filter((name) => /^[a-z-]+(?:….ts|\.ts|\/)$/.test(name));

const roleOfFile = (name: string): string | undefined =>
  roles.find((role) => (role.includes('…') ? name.startsWith(role.replace('….ts', '')) : role === name)) ??
  // The schemas or answers of a part: `command-schemas.ts`.
  roles.find((role) => name.endsWith(`-${role}`) && /^(?:schemas|answers)\.ts$/.test(role));

/**
 * Folders besides the roles: declared data of units, the checks that the verify commands run, and what makes the
 * formats of a document: a renderer for each, the parts of a graph, and the threads that they run in. The formats of
 * imports read files.
 */
const otherFolders = new Set([
  'src/features/units/catalogue',
  'src/features/account/verification',
  'src/features/documents/formats',
  'src/features/documents/graph',
  'src/features/documents/rendering',
  'src/features/import-profiles/formats',
]);

/** The kinds of imports, each with a folder of its own, and what those of places share. */
const kindFolders = new Set<string>([...importKindNames, 'places']);

test('every file of a feature has a role that ARCHITECTURE.md lists', () => {
  assert.ok(roles.length > 10, 'the table lists roles');
  const strays = sourcesIn('src/features/*/**/*.ts').filter((path) => {
    const [, , feature = '', ...rest] = path.split('/');
    // The folder of a kind has the kind itself, and the folders that a feature has.
    const isOfKind = feature === 'import-kinds' && kindFolders.has(rest[0] ?? '');
    if (isOfKind) rest.shift();
    const [first = '', second] = rest;
    if (isOfKind && second === undefined) return false;
    if (second === undefined) return roleOfFile(first) === undefined;
    return rest.length !== 2 || !(roles.includes(`${first}/`) || otherFolders.has(`src/features/${feature}/${first}`));
  });
  assert.deepEqual(strays, []);
});

test('every role that ARCHITECTURE.md lists has a file', () => {
  const files = sourcesIn('src/features/*/**/*.ts').map((path) => path.split('/').slice(3));
  const unused = roles.filter(
    (role) => !files.some(([first = '', second]) => (second === undefined ? roleOfFile(first) : `${first}/`) === role),
  );
  assert.deepEqual(unused, []);
});

/** Longer, a file is hard to read. */
const readableLines = 180;

test('what a feature shares has two users, or would make its one user too long', () => {
  const shared = sourcesIn('src/features/*/*.ts').filter(
    (path) => !/^(?:routes|(?:.*-)?schemas|(?:.*-)?answers)\.ts$/.test(basename(path)),
  );
  const strays = shared.filter((path) => {
    const users = importersOf(path);
    const [user] = users;
    if (user === undefined || users.length > 1) return users.length === 0;
    return lineCountOf(path) + lineCountOf(user) <= readableLines;
  });
  assert.deepEqual(strays, []);
});

/** How many sentences the comment at the top of a file has. */
function countHeaderSentences(path: string): number {
  const [, header = ''] = /^(?:#!.*\n)?((?:\/\/.*\n)+)/.exec(textOf(path)) ?? [];
  return header.match(/[.?!](?=[)'"`]*\s)/g)?.length ?? 0;
}

test('every source file, tests beside sources too, opens with one or two sentences', () => {
  const folders = '{src,console/src,sqlite-follower,equipment-client,demo,scripts}';
  const strays = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root })
    .map((path) => ({ path, sentences: countHeaderSentences(path) }))
    .filter(({ sentences }) => sentences < 1 || sentences > 2);
  assert.deepEqual(
    strays.map(({ path, sentences }) => `${path}: ${sentences}`),
    [],
  );
});

/** A folder with more is about several things. */
const maxFilesOfFolder = 25;

test('no folder of sources has more than 25 files of its own', () => {
  const files = sourcesIn('{src,demo,scripts,console/src,equipment-client}/**/*.{ts,tsx}');
  const byFolder = Object.entries(Object.groupBy(files, posix.dirname));
  assert.deepEqual(
    byFolder
      .filter(([, own = []]) => own.length > maxFilesOfFolder)
      .map(([folder, own = []]) => `${folder}: ${own.length}`),
    [],
  );
});

test('no two files of a feature have the same name', () => {
  const names = sourcesIn('src/features/*/**/*.ts').map((path) => `${path.split('/')[2]}/${basename(path)}`);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

type Declaration = {
  readonly path: string;
  readonly isExported: boolean;
  readonly keyword: string;
  readonly name: string;
  readonly text: string;
};

/** What the files declare at their top level. The formatter puts all of it at the beginning of a line. */
const declarations: readonly Declaration[] = sourcesIn('src/**/*.ts').flatMap((path) =>
  textOf(path)
    .split(/^(?=\S)/m)
    .flatMap((text) => {
      const pattern = /^(export )?(?:async )?(const|type|interface|class|function)\*? (\w+)/;
      const [, exported, keyword = '', name = ''] = pattern.exec(text) ?? [];
      return name === '' ? [] : [{ path, isExported: exported !== undefined, keyword, name, text }];
    }),
);

/** The wire name of the schema that a constant holds; undefined if it is not a schema or has no name. */
function findWireName({ keyword, text }: Declaration): string | undefined {
  if (keyword !== 'const') return undefined;
  const [, made] = /^.* = (?:\w+\(\s*)*(?:named(?:Object|Body|Enum|Union)|listResponse)\(\s*'(\w+)'/.exec(text) ?? [];
  const [, given] = /^.* = Type\.[^]*?\n {2}(?:\{ )?\[nameKeyword\]: '(\w+)'/.exec(text) ?? [];
  return made ?? given;
}

const namedSchemas = declarations.flatMap((declaration) => {
  const wireName = findWireName(declaration);
  return wireName === undefined ? [] : [{ ...declaration, wireName }];
});

test('the constant and the type of a named schema have the name that it has on the wire', () => {
  assert.ok(namedSchemas.length > 100, 'this test finds the named schemas');
  for (const { path, name, wireName } of namedSchemas) assert.equal(name, wireName, path);

  for (const { path, keyword, name, text } of declarations) {
    const [, constant] = /= Static<typeof (\w+)>;\n/.exec(text) ?? [];
    const isNamed = namedSchemas.some((schema) => schema.path === path && schema.name === constant);
    if (keyword === 'type' && isNamed) assert.equal(name, constant, path);
  }
});

/** A problem and its errors as they are thrown, and the schemas of their JSON. */
const thrownAndSent = new Set(['Problem', 'FieldError']);

test('an exported name, and that of a schema, is declared once', () => {
  const isEnumeration = ({ text }: Declaration): boolean => /^.* = namedEnum\(/.test(text);
  const shared = declarations.filter((each) => each.isExported || findWireName(each) !== undefined);
  const repeated = [...Map.groupBy(shared, ({ name }) => name)].filter(([name, all]) => {
    const files = new Set(all.map(({ path }) => path));
    // The type of an enumeration can be in the rules, and the schema that lists its values in the schemas.
    const others = all.filter((each) => !isEnumeration(each));
    return (
      files.size > 1 &&
      !thrownAndSent.has(name) &&
      !(files.size === 2 && others.length === 1 && others[0]?.keyword === 'type')
    );
  });
  assert.deepEqual(
    repeated.map(([name, all]) => `${name}: ${all.map(({ path }) => path).join(', ')}`),
    [],
  );
});

test('only queries contain SQL', () => {
  const sqlPattern = /\bsql`|\brunPrepared\(|\.(?:selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom)\(/;
  const strays = sourcesIn('src/{commands,features,http,permissions,lib}/**/*.ts')
    .filter((path) => !path.includes('/queries/'))
    .filter((path) => sqlPattern.test(textOf(path)));
  assert.deepEqual(strays, []);
});

const { service } = serviceFixture('sqlite', { manager: false });

test('a file of operations is named for an operation, and exports it', () => {
  const ids = createOperations(service.dependencies).operations.map(({ id }) => id);
  for (const path of sourcesIn('src/features/*/operations/*.ts')) {
    const id = ids.find((each) => `${kebabCase(each)}.ts` === basename(path));
    assert.ok(id !== undefined, `${path} names no operation`);
    // The variants of an image share a function with another name.
    const isImage = /\/(?:images|icons)\//.test(path);
    if (!isImage) assert.match(textOf(path), new RegExp(`export (?:async )?function\\*? ${camelCase(id)}\\b`), path);
  }
});

test('every manager operation has its own file', () => {
  const files = new Set(sourcesIn('src/features/*/operations/*.ts').map((path) => basename(path)));
  const missing = createOperations(service.dependencies)
    .operations.filter(({ access }) => access !== 'anyone')
    .filter(({ id }) => !files.has(`${kebabCase(id)}.ts`))
    .map(({ id }) => id);
  assert.deepEqual(missing, []);
});

test('a migration imports only frozen code of the migrations, and types of its contract', () => {
  const contract = ['db', 'migration', 'tables'].map((name) => `'../src/database/${name}.ts'`);
  const strays = sourcesIn('migrations/**/*.ts').flatMap((path) =>
    [...textOf(path).matchAll(/^import (type )?.* from ('\..*');$/gm)]
      .filter(
        ([, type, from = '']) => !(type !== undefined && contract.includes(from)) && !from.startsWith("'./frozen/"),
      )
      .map(([line]) => `${path}: ${line}`),
  );
  assert.deepEqual(strays, []);
});

test('only lib/kid.ts spells KIDs', () => {
  // `-L${…}`, `'-R' + …`, `/-R\d+/` and `split('-')` of a KID.
  const spelledPart = /-[BDEILMPRUX](?:\$\{|['"`]|\\d|\[0-9])|[kK]id\w*\.split\(/;
  const strays = sourcesIn('src/**/*.ts')
    .filter((path) => path !== 'src/lib/kid.ts')
    .filter((path) => spelledPart.test(textOf(path)));
  assert.deepEqual(strays, []);
});

test('only lib/time/intl-formats.ts makes formatters of Intl, whose memory the garbage collector does not count', () => {
  const made =
    /new Intl\.(?:DateTimeFormat|NumberFormat|Collator|ListFormat|PluralRules)\(|\.toLocale(?:Date|Time)?String\(/;
  const strays = sourcesIn('src/**/*.ts')
    .filter((path) => path !== 'src/lib/time/intl-formats.ts')
    .filter((path) => made.test(textOf(path)));
  assert.deepEqual(strays, []);
});

test('queries return data, and leave problems to their callers', () => {
  const strays = sourcesIn('src/**/queries/*.ts').filter((path) =>
    /lib\/(?:values\/field-)?problem\.ts'/.test(textOf(path)),
  );
  assert.deepEqual(strays, []);
});

test('rules are pure: no random numbers, no clock, and of the database only its errors and row types', () => {
  const impure =
    /\b(?:random\w*|getRandomValues|generateKey\w*)\b[^;]*'node:crypto'|Math\.random\(|Date\.now\(|new Date\(\)|performance\.now\(|Temporal\.Now|^import (?!type )[^;]*\/(?:database\/(?!errors\.ts)|queries\/)|\bfrom 'kysely'/m;
  const strays = sourcesIn('src/features/*/rules/*.ts').filter((path) => impure.test(textOf(path)));
  assert.deepEqual(strays, []);
});

/** Caches of pure functions, random bytes for the next requests, and what a thread has while it runs one connection. */
const ownState = new Set([
  'src/database/dialects/sqlite/worker.ts: aborted',
  'src/database/dialects/sqlite/worker.ts: statementCache',
  'src/database/statements/insert-rows.ts: knownClauses',
  'src/features/units/rules/stored-text.ts: knownBounds',
  'src/http/protocol/trace.ts: usedBytes',
  'src/lib/text/language.ts: negotiationCache',
]);

test('a module has no state of its own that a request could leave to the next one', () => {
  const pattern = /^(?:let|const) (\w+)(?:: [^=]+)? ?(?:= new (?:Map|Set|WeakMap|LRUCache)(?:<.*>)?\((?:\)|\{))?/gm;
  const found = sourcesIn('src/**/*.ts').flatMap((path) =>
    [...textOf(path).matchAll(pattern)]
      // What has a type is read only.
      .filter(([declared]) => declared.startsWith('let') || /^[^:]*[({)]$/.test(declared))
      .map(([, name]) => `${path}: ${name}`),
  );
  assert.deepEqual(found.toSorted(), [...ownState].toSorted());
});

/** Tables that tests walk, to try each of their entries. */
const walkedTables = new Set(['settings', 'lockOrder', 'ruleCodes', 'documentFormats', 'leftOutTables']);

test('what is exported has a user that is no test; a type may be for tests only', () => {
  const unused = declarations.filter(({ path, isExported, keyword, name }) => {
    if (!isExported || walkedTables.has(name)) return false;
    const isType = keyword === 'type' || keyword === 'interface';
    const users = imports.filter((each) => each.path === path && (each.names === undefined || each.names.has(name)));
    return !users.some(({ from }) => isType || (!from.startsWith('test/') && !isTest(from)));
  });
  assert.deepEqual(
    unused.map(({ path, name }) => `${path}: ${name}`),
    [],
  );
});
