// Where in the text of a profile an error of the service is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findPlace, lineAt, readDocument } from '../../console/src/import-profiles/json-places.ts';

const text = `{
  "name": "rents",
  "columns": [
    { "field": "key", "from": { "at": 1 } },
    { "field": "name", "map": { "a\\"b": "x" } }
  ]
}`;

test('[console.35] an error stands at the member that its path names, or at the nearest that has it', () => {
  const document = readDocument(text);
  assert.ok(document.value !== undefined);
  const at = (path: string): string => {
    const { start, end } = findPlace(document.places, path);
    return text.slice(start, end);
  };
  assert.equal(at('name'), '"name": "rents"');
  assert.equal(at('columns[0].from.at'), '"at": 1');
  assert.equal(at('columns[1].map.a"b'), '"a\\"b": "x"');
  assert.equal(at('columns[1]'), '{ "field": "name", "map": { "a\\"b": "x" } }');
  assert.equal(at('columns[1].from'), at('columns[1]'));
  assert.equal(at('format'), text);
  assert.deepEqual(lineAt(text, findPlace(document.places, 'columns[1]').start), { line: 5, column: 5 });
});

test('[console.35] what is no JSON is told at the place where it stops to be some', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['', 0],
    ['[]', 0],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{"a": tru}', 6],
    ['{"a": 01}', 7],
    ['{"a": 1} x', 9],
    ['{"a": "\n"}', 6],
    ["{'a': 1}", 1],
    [`{"a": ${'['.repeat(1000)}`, 106],
  ];
  for (const [broken, errorAt] of cases) assert.deepEqual(readDocument(broken), { errorAt }, broken.slice(0, 20));
});

test('[console.35] a text is read exactly if the browser reads it as an object, and all of it has a place', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.boolean(), (value, isIndented) => {
      const written = JSON.stringify(value, undefined, isIndented ? 2 : undefined);
      const read = readDocument(written);
      assert.deepEqual(read.value, JSON.parse(written));
    }),
  );
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '0', '1', 'e', '-', '.', ' ', '\n', 'true', '\\'),
      }),
      (written) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(written);
        } catch {
          parsed = undefined;
        }
        const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
        assert.equal(readDocument(written).value !== undefined, isObject, written);
      },
    ),
    { numRuns: 2000 },
  );
});
