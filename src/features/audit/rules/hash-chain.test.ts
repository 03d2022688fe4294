// Links are stored and exported, so they must never change. No two entries have the same text.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeAuditLink, initialAuditLink, type HashedAuditEntry } from './hash-chain.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const entry: HashedAuditEntry = {
  chain: 1001,
  sequence: 1,
  at: 834_789_599_999,
  actor_kind: 'manager',
  actor_id: 1007,
  address: '192.0.2.1',
  operation: 'SetUnitSetting',
  object: 'sund-B1001-L1-U1',
  old_values: null,
  new_values: '{"value":"40°"}',
  request_id: 'a-1',
  environment: 'production',
};

/** An independent implementation of the format. */
const spellByHand = (hashed: HashedAuditEntry): string =>
  Object.values(hashed)
    .map((value) => (value === null ? '' : `${new TextEncoder().encode(String(value)).length}:${value}`))
    .join('|');

test('a link is the SHA-256 of a fixed format', () => {
  const text =
    '4:1001|1:1|12:834789599999|7:manager|4:1007|9:192.0.2.1|14:SetUnitSetting|16:sund-B1001-L1-U1||16:{"value":"40°"}|3:a-1|10:production';
  assert.equal(spellByHand(entry), text);
  // printf 'audit.1|0:|%s' "$text" | sha256sum
  assert.equal(
    Buffer.from(computeAuditLink(initialAuditLink, entry), 'base64url').toString('hex'),
    'fcf97d2465267447f7a57aab9c4d2613bb3add379de13b2f22320cb9344459e1',
  );
});

const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('', '|', '0:', '1:a', 'a|0:', '||', '\0', '\uFFFD', '🧺'),
);
const integer = fc.oneof(fc.nat(20), fc.maxSafeInteger());
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const entries: fc.Arbitrary<HashedAuditEntry> = fc.record({
  chain: integer,
  sequence: integer,
  at: integer,
  actor_kind: text,
  actor_id: nullable(integer),
  address: nullable(text),
  operation: text,
  object: text,
  old_values: nullable(text),
  new_values: nullable(text),
  request_id: nullable(text),
  environment: nullable(text),
});

/** Parses a text by the lengths that it contains. */
function readCanonicalText(canonical: string): (string | null)[] {
  const bytes = Buffer.from(canonical);
  const values: (string | null)[] = [];
  for (let index = 0; index <= bytes.length; index += 1) {
    const separator = bytes.indexOf('|', index);
    const colon = bytes.indexOf(':', index);
    if (index === bytes.length || separator === index || colon === -1) {
      values.push(null);
      continue;
    }
    const end = colon + 1 + Number(bytes.toString('latin1', index, colon));
    values.push(bytes.toString('utf8', colon + 1, end));
    index = end;
  }
  return values;
}

test('two entries have the same text only if they are the same, because the text contains every value', () => {
  fc.assert(
    fc.property(entries, (each) => {
      const values = Object.values(each).map((value) => (value === null ? null : String(value)));
      assert.deepEqual(readCanonicalText(spellByHand(each)), values);
      const hashed = `audit.1|0:|${spellByHand(each)}`;
      assert.equal(computeAuditLink(initialAuditLink, each), hash('sha256', hashed, 'base64url'));
    }),
  );
});

test('a link depends on the previous link and on every column', () => {
  fc.assert(
    fc.property(text, text, entries, entries, (before, other, one, another) => {
      assert.equal(computeAuditLink(before, one) === computeAuditLink(other, one), before === other);
      for (const column of Object.keys(one) as (keyof HashedAuditEntry)[]) {
        const edited = { ...one, [column]: another[column] };
        const isSame = computeAuditLink(before, one) === computeAuditLink(before, edited);
        assert.equal(isSame, one[column] === another[column], column);
      }
    }),
  );
});
