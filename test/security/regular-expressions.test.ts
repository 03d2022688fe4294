// No regular expression takes exponential time, and one that takes more than linear time only sees texts that are short
// or that its author is trusted with.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'recheck';
import { createOperations } from '../../src/app.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { findPatternLiterals, type SourcePattern } from './regular-expressions.ts';

const root = join(import.meta.dirname, '../..');

/** Those that take quadratic or cubic time in the length of their text, and why no client can make them slow. */
const bounded: Readonly<Record<string, string>> = {
  'console/src/kid.ts': 'what somebody types or scans, in their own browser',
  'console/src/command/exact-number.ts': 'what somebody types, in their own browser',
  'src/recent-log-lines.ts': 'lines that the service itself has logged',
  'src/providers/releases/package/x500-name.ts': 'the certificate of a release that the operator provides',
  'src/lib/kid.ts': 'stored answers of the service, in a command of the operator',
  'src/lib/text/number-search.ts': 'a filter of at most 128 characters',
  'src/features/inflow/rules/parse-lines.ts': 'a line that is JSON: each of its strings has an end',
  'src/features/import-profiles/formats/line-reader.ts': 'a line, which has a break only at its end',
  'src/features/documents/rules/group-digits.ts': 'the digits of a number',
  'src/commands/program.ts': 'an error that a command prints',
};

/** Long enough for the slowest proof on a busy machine; without one the test fails. */
const timeoutMs = 60_000;

type Complexity = 'safe' | 'polynomial' | 'exponential';

async function complexityOf({ source, flags }: SourcePattern): Promise<Complexity> {
  // Its other limits of time would let the result depend on how busy the machine is.
  const found = await check(source, flags, { timeout: timeoutMs, incubationTimeout: null, attackTimeout: null });
  if (found.status === 'unknown') throw new Error(`/${source}/${flags}: ${JSON.stringify(found.error)}`);
  const { type } = found.complexity;
  return type === 'exponential' || type === 'polynomial' ? type : 'safe';
}

/** Markup in a template, between two slashes, is none. */
const isMarkup = ({ source }: SourcePattern): boolean => source.includes('><') || source.includes('${');

function isPattern({ source, flags }: SourcePattern): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}

/** Members of schemas named `pattern`, at any depth. */
function listSchemaPatterns(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    name === 'pattern' && typeof each === 'string' ? [each] : listSchemaPatterns(each, seen),
  );
}

test('the finder finds the literals of a source', () => {
  const text = `const a = /x\\/[/]y/gu; // /no/\nconst half = b / c / d; /* /no/ */ f('/no/', (t) => /z+$/.test(t)); return /q/;`;
  assert.deepEqual(
    findPatternLiterals(text).map(({ source, flags }) => `${source} ${flags}`),
    ['x\\/[/]y gu', 'z+$ ', 'q '],
  );
});

test('[attack.08] no regular expression of the sources is exponential, and only bounded ones are polynomial', async () => {
  assert.equal(await complexityOf({ source: '^(a+)+$', flags: '' }), 'exponential');
  assert.equal(await complexityOf({ source: '^[ab]*b[ab]*$', flags: '' }), 'polynomial');
  const checked = new Map<string, Complexity>();
  const polynomial = new Set<string>();
  for (const path of globSync('{src,equipment-client,sqlite-follower,console/src}/**/*.ts', { cwd: root }).toSorted()) {
    if (path.endsWith('.test.ts')) continue;
    for (const literal of findPatternLiterals(readFileSync(join(root, path), 'utf8')).filter(isPattern)) {
      if (isMarkup(literal)) continue;
      const key = `/${literal.source}/${literal.flags}`;
      const complexity = checked.get(key) ?? (await complexityOf(literal));
      checked.set(key, complexity);
      assert.notEqual(complexity, 'exponential', `${path}: ${key}`);
      if (complexity === 'polynomial') polynomial.add(path.replaceAll('\\', '/'));
    }
  }
  assert.ok(checked.size > 250, `${checked.size}`);
  assert.deepEqual([...polynomial].toSorted(), Object.keys(bounded).toSorted());
});

test('[attack.08] no pattern of a schema is exponential, and none is polynomial', async () => {
  const { operations } = createOperations(createDependenciesWithoutStorage());
  const patterns = new Set(operations.flatMap(({ params, query, body }) => listSchemaPatterns([params, query, body])));
  assert.ok(patterns.size > 5, `${patterns.size}`);
  for (const source of patterns) assert.equal(await complexityOf({ source, flags: 'u' }), 'safe', source);
});
