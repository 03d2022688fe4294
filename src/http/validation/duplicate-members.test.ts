// Duplicate names in an object of a JSON text are found at any depth, and no others are reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findDuplicateMember } from './duplicate-members.ts';

test('the first duplicate is found, however it is written and wherever it is', () => {
  const texts: [text: string, path: string | undefined][] = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"a":{"b":{"c":1,"d":2,"c":3}}}', 'a.b.c'],
    ['[0,{"x":[{"y":1,"y":2}]}]', '1.x.0.y'],
    ['{"a":{"b":1},"b":2,"c":[{"b":3},{"b":4,"b":5}],"c":6}', 'c.1.b'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":1,"A":2,"a ":3}', undefined],
    ['{"a":{"a":{"a":[{"a":1},{"a":1}]}}}', undefined],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\"a\\":"}', undefined],
    ['{"constructor":1,"toString":2}', undefined],
    ['[]', undefined],
    ['"text"', undefined],
    ['1', undefined],
  ];
  for (const [text, path] of texts) assert.equal(findDuplicateMember(text)?.join('.'), path, text);
});

test('no text that JSON.stringify writes has a duplicate, and adding a member again creates one', () => {
  fc.assert(
    fc.property(fc.json(), fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (text, object) => {
      assert.equal(findDuplicateMember(text), undefined);
      const [name = ''] = Object.keys(object);
      const again = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${text}}`;
      assert.deepEqual(findDuplicateMember(again), [name]);
    }),
  );
});
