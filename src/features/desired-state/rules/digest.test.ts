// Digests depend on what a list says, and neither on its order nor on where it was changed.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { formatCanonicalJson } from '../../../lib/text/canonical-json.ts';
import { computeDigest } from './digest.ts';

const entries = fc.array(
  fc.record({
    kind: fc.constant('key'),
    key: fc.string(),
    units: fc.array(fc.string()),
    until: fc.option(fc.string()),
  }),
);

test('the digest of a list does not depend on its order', () => {
  fc.assert(
    fc.property(
      entries.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => assert.equal(computeDigest(shuffled), computeDigest(list)),
    ),
  );
});

test('the digest depends neither on the order of members nor on version and revision', () => {
  fc.assert(
    fc.property(entries, fc.nat(), (list, v) => {
      const changed = list.map((entry) => ({
        revision: String(v),
        ...Object.fromEntries(Object.entries(entry).toReversed()),
        v,
      }));
      assert.equal(computeDigest(changed), computeDigest(list));
    }),
  );
});

test('an entry more is another digest, and that of both parts is their sum', () => {
  fc.assert(
    fc.property(entries, entries, (one, other) => {
      const sum = BigInt.asUintN(64, BigInt(`0x${computeDigest(one)}`) + BigInt(`0x${computeDigest(other)}`));
      assert.equal(BigInt(`0x${computeDigest([...one, ...other])}`), sum);
    }),
  );
  assert.notEqual(computeDigest([{ key: 'A' }]), computeDigest([{ key: 'A' }, { key: 'B' }]));
});

test('a digest is the first 64 bits of a SHA-256 over JSON with sorted members', () => {
  assert.equal(computeDigest([]), '0000000000000000');
  assert.equal(
    computeDigest([{ b: [1, null], a: 'ø', v: 7 }]),
    hash('sha256', '{"a":"ø","b":[1,null]}', 'hex').slice(0, 16),
  );
  assert.equal(formatCanonicalJson({ z: { y: 1, x: true } }), '{"z":{"x":true,"y":1}}');
});
