// Which coding an Accept-Encoding field prefers (RFC 9110, 12.5.3), as a table.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codings } from './codings.ts';
import { negotiateCoding } from './negotiate-coding.ts';

const as = (coding: string | undefined, takesIdentity = true) => ({ coding, takesIdentity });

const cases: readonly (readonly [field: string, expected: ReturnType<typeof as>])[] = [
  ['', as(undefined)],
  ['identity', as(undefined)],
  ['gzip', as('gzip')],
  ['GZIP', as('gzip')],
  ['br', as('br')],
  ['zstd', as('zstd')],
  // What browsers send: the service chooses.
  ['gzip, deflate, br, zstd', as('zstd')],
  ['gzip, deflate, br', as('br')],
  ['gzip, deflate', as('gzip')],
  ['deflate, compress, x', as(undefined)],
  // Weights.
  ['zstd;q=0.5, br;q=0.8, gzip;q=0.7', as('br')],
  ['zstd;q=0.001, gzip;q=0.002', as('gzip')],
  ['gzip;q=0', as(undefined)],
  ['zstd;q=0, br;q=0.0, gzip', as('gzip')],
  ['gzip ; q=0.5 , br ; q=1.000', as('br')],
  ['gzip;q=x', as(undefined)],
  ['br;q=0.5, gzip;q=0.5', as('br')],
  // Identity.
  ['identity, gzip;q=0.9', as(undefined)],
  ['identity;q=0.5, gzip', as('gzip')],
  ['identity;q=0.5, gzip;q=0.5', as('gzip')],
  ['identity;q=0, gzip', as('gzip', false)],
  ['identity;q=0', as(undefined, false)],
  ['*;q=0', as(undefined, false)],
  ['*;q=0, br', as('br', false)],
  ['*;q=0, identity', as(undefined)],
  ['*;q=0, identity;q=0.1, gzip;q=0.2', as('gzip')],
  // Wildcards.
  ['*', as('zstd')],
  ['*, zstd;q=0', as('br')],
  ['*;q=0.5, gzip', as('gzip')],
  ['*;q=0.5, identity', as(undefined)],
  ['identity;q=0, *', as('zstd', false)],
];

for (const [field, expected] of cases)
  test(`"${field}" is ${expected.coding ?? 'no coding'}`, () => {
    assert.deepEqual(negotiateCoding(field), expected);
  });

test('a coding that the field does not name, or refuses, is never chosen', () => {
  const weight = fc.constantFrom('', ';q=0', ';q=0.3', ';q=0.7', ';q=1');
  const item = fc.tuple(fc.constantFrom(...codings, 'identity', 'deflate'), weight);
  fc.assert(
    fc.property(fc.uniqueArray(item, { selector: ([name]) => name, maxLength: 5 }), (items) => {
      const { coding, takesIdentity } = negotiateCoding(items.map((parts) => parts.join('')).join(', '));
      const weights = new Map(items.map(([name, text]) => [name, text === '' ? 1 : Number(text.slice(3))]));
      assert.equal(takesIdentity, weights.get('identity') !== 0);
      if (coding === undefined) return;
      const best = Math.max(...codings.map((each) => weights.get(each) ?? 0));
      assert.ok(best > 0 && weights.get(coding) === best);
      assert.ok(best >= (weights.get('identity') ?? 0));
    }),
  );
});

test('no field makes the negotiation fail', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (field) => void negotiateCoding(field)));
});
