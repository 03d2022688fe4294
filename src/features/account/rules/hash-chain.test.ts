// Links are stored and exported, so they must never change. No field of a row can change without changing its link.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  initialLedgerLink,
  computeClosingLink,
  computePostingLink,
  type HashedClosing,
  type HashedPosting,
} from './hash-chain.ts';
import { codePoint } from '../../../../test/support/code-point.ts';
import { hashedIntegerColumns, hashedTextColumns } from '../../../../test/support/ledger-columns.ts';

const posting: HashedPosting = {
  bank_id: 1001,
  posting_id: 1,
  recorded_at: 834_789_599_999,
  location_id: 1,
  unit_id: 2,
  user_id: 1042,
  kind: 1,
  payment_kind: 0,
  currency: 'DKK',
  amount_minor: -3050,
  vat_minor: -610,
  period: 3,
  document_id: null,
  text: 'Wash 40°',
  internal_tag: 7,
  payment_reference: null,
  reversal_of: null,
  fingerprint: 123_456_789,
};
const closing: HashedClosing = { bank_id: 1001, period: 3, from_at: 10, through_at: 20, closed_at: 21 };

test('a link is the SHA-256 of a fixed format', () => {
  // printf 'posting.1|0:|1001|1|834789599999|1|2|1042|1|0|-3050|-610|3||7||123456789|3:DKK|9:Wash 40°|' | sha256sum
  const first = computePostingLink(initialLedgerLink, posting);
  assert.equal(
    Buffer.from(first, 'base64url').toString('hex'),
    '89807dde3f6739fdda1d55cf399afcc56f41beccbb08297c330682aec518b74d',
  );
  assert.match(first, /^[\w-]{43}$/);
  // printf 'closing.1|1:x|1001|3|10|20|21' | sha256sum
  assert.equal(
    Buffer.from(computeClosingLink('x', closing), 'base64url').toString('hex'),
    'd107c0440a616170501c0eeaccc8cf8a5e0ed61fd69bdd2a343da713f5965a8c',
  );
});

const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0, -1, 2n ** 63n - 1n),
);
const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('', '|', '0:', '3:DKK', 'a|0:', '\0', '\uFFFD', '🧺'),
);
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const postings = fc.record({
  ...Object.fromEntries(hashedIntegerColumns.map((column) => [column, nullable(integer)])),
  currency: text,
  text,
  payment_reference: nullable(text),
}) as unknown as fc.Arbitrary<HashedPosting>;

/** An independent implementation of the format, in bytes. */
function spelledByHand(previous: string, row: HashedPosting): string {
  const bytes = (value: string): Buffer => Buffer.from(value, 'utf8');
  const counted = (value: string): Buffer => Buffer.concat([bytes(`${bytes(value).length}:`), bytes(value)]);
  const parts: Buffer[] = [bytes('posting.1'), counted(previous)];
  for (const column of hashedIntegerColumns) {
    const value = row[column];
    parts.push(value === null ? Buffer.alloc(0) : bytes(BigInt(value).toString()));
  }
  for (const value of [row.currency, row.text, row.payment_reference])
    parts.push(value === null ? Buffer.alloc(0) : counted(value));
  const digest = createHash('sha256');
  for (const [index, part] of parts.entries()) {
    if (index > 0) digest.update('|');
    digest.update(part);
  }
  return digest.digest().toString('base64url');
}

test('a link is the same for numbers and bigints', () => {
  fc.assert(
    fc.property(text, postings, (previous, row) => {
      const link = computePostingLink(previous, row);
      assert.equal(link, spelledByHand(previous, row));
      const wide = { ...row };
      for (const column of ['amount_minor', 'vat_minor', 'fingerprint'] as const)
        if (row[column] !== null) Object.assign(wide, { [column]: BigInt(row[column]) });
      assert.equal(link, computePostingLink(previous, wide));
    }),
  );
});

test('two rows have the same link only if the rows and their previous links are the same', () => {
  const columns = [...hashedIntegerColumns, ...hashedTextColumns];
  fc.assert(
    fc.property(text, text, postings, postings, fc.subarray(columns), (below, other, row, from, changed) => {
      const edited = { ...row, ...Object.fromEntries(changed.map((column) => [column, from[column]])) };
      const same =
        columns.every((column) => String(row[column]) === String(edited[column])) &&
        (row.payment_reference === null) === (edited.payment_reference === null);
      assert.equal(computePostingLink(below, row) === computePostingLink(below, edited), same);
      assert.equal(computePostingLink(below, row) === computePostingLink(other, row), below === other);
    }),
  );
});

test('moving characters from one text to the next changes the link', () => {
  const split = (currency: string, words: string, payment_reference: string | null): string =>
    computePostingLink('', { ...posting, currency, text: words, payment_reference });
  const links = [
    split('DKK', '', null),
    split('DKK', '', ''),
    split('DKK|0:', '', null),
    split('DK', 'K', null),
    split('', 'DKK', ''),
    split('DKK', '|0:', null),
    split('DKK', '0:', ''),
  ];
  assert.equal(new Set(links).size, links.length);
});

test('the link of a closing changes with each of its fields, and differs from links of postings', () => {
  const others = (['bank_id', 'period', 'from_at', 'through_at', 'closed_at'] as const).map((column) =>
    computeClosingLink('x', { ...closing, [column]: closing[column] + 1 }),
  );
  const links = [
    computeClosingLink('x', closing),
    computeClosingLink('y', closing),
    computeClosingLink('', closing),
    ...others,
  ];
  assert.equal(new Set(links).size, links.length);
});
