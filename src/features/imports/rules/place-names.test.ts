// How lists of banks and locations name them in a file.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlaceName, splitPlaceName } from './place-names.ts';

test('a place is named by its key, and a key that is no KID is one of its bank', () => {
  const keys = new Map([
    ['sund-B1', 'fjord-B7'],
    ['sund-B2', 'north'],
    ['sund-B1-L1', 'fjord-B7-L3'],
    ['sund-B1-L2', 'house 1'],
    ['sund-B2-L1', 'a/b'],
  ]);
  const cases: [kid: string, name: string][] = [
    ['sund-B1', 'fjord-B7'],
    ['sund-B2', 'sund-B2'],
    ['sund-B3', 'sund-B3'],
    ['sund-B1-L1', 'fjord-B7-L3'],
    ['sund-B1-L2', 'fjord-B7/house%201'],
    ['sund-B2-L1', 'sund-B2/a%2Fb'],
    ['sund-B2-L2', 'sund-B2-L2'],
  ];
  for (const [kid, name] of cases) assert.equal(formatPlaceName(kid, keys), name);
});

test('every key of a location is read again as it was written, as one word', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (key) => {
      const name = formatPlaceName('sund-B1-L1', new Map([['sund-B1-L1', key]]));
      assert.ok(!/[\s,;]/.test(name), name);
      if (name !== key) assert.deepEqual(splitPlaceName(name), { bank: 'sund-B1', key });
    }),
  );
});

test('a name without a bank is a key, or a KID', () => {
  assert.deepEqual(splitPlaceName('sund-B1-L1'), { bank: undefined, key: 'sund-B1-L1' });
  assert.deepEqual(splitPlaceName('100%'), { bank: undefined, key: '100%' });
});
