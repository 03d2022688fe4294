// The style sheets of the console: each class is used, and each class that a component asks of its own sheet is there.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const src = join(import.meta.dirname, '../../console/src');
const read = (path: string): string => readFileSync(join(src, path), 'utf8');
const components = globSync('**/*.tsx', { cwd: src }).map((path) => ({ path, text: read(path) }));

/** The classes that a sheet itself declares; `:global(…)` names those of others. */
const classesOf = (sheet: string): Set<string> =>
  new Set(
    [
      ...read(sheet)
        .replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, '')
        .matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/gi),
    ].map(([, name = '']) => name),
  );

test('a component uses all classes of its own sheet, and no others', () => {
  const used = new Map<string, Set<string>>();
  for (const { path, text } of components)
    for (const [, variable, sheet = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)) {
      const names = [...text.matchAll(new RegExp(String.raw`\b${variable}\.(\w+)`, 'g'))].map(([, name = '']) => name);
      const file = join(dirname(path), sheet);
      used.set(file, (used.get(file) ?? new Set()).union(new Set(names)));
    }
  const sheets = globSync('**/*.module.css', { cwd: src });
  assert.deepEqual([...used.keys()].toSorted(), sheets.toSorted());
  for (const sheet of sheets)
    assert.deepEqual([...(used.get(sheet) ?? [])].toSorted(), [...classesOf(sheet)].toSorted(), sheet);
});

test('a sheet of a component names no classes but its own and shared ones', () => {
  const shared = new Set(globSync('styles/*.css', { cwd: src }).flatMap((sheet) => [...classesOf(sheet)]));
  for (const sheet of globSync('**/*.module.css', { cwd: src })) {
    const named = [...read(sheet).matchAll(/:global\(\.([\w-]+)\)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      named.filter((name) => !shared.has(name)),
      [],
      sheet,
    );
  }
});

test('every shared class is used', () => {
  const words = new Set(components.flatMap(({ text }) => text.match(/[a-z][\w-]*/g) ?? []));
  const isUsed = (name: string): boolean => words.has(name) || words.has(name.slice(0, name.lastIndexOf('-') + 1));
  for (const sheet of globSync('styles/*.css', { cwd: src }))
    assert.deepEqual(
      [...classesOf(sheet)].filter((name) => !isUsed(name)),
      [],
      sheet,
    );
});
