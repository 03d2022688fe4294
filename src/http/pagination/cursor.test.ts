// Checks that only formatted cursors are parsed, and that they do not show what they hold.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatCursor, parseCursor, type CursorKey } from './cursor.ts';

const key: CursorKey = { authentication: Buffer.alloc(32, 7), encryption: Buffer.alloc(32, 8) };
const anyValue = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)), { maxLength: 8 });
const anyBinding = fc.string({ unit: 'binary' });

test('[general.57] a cursor is parsed with its key and its binding, and with no other', () => {
  fc.assert(
    fc.property(anyValue, anyBinding, anyBinding, (value, binding, other) => {
      const cursor = formatCursor(value, binding, key);
      assert.match(cursor, /^[\w-]+$/);
      assert.deepEqual(parseCursor(cursor, binding, structuredClone(key)), value);
      assert.equal(formatCursor(value, binding, key), cursor, 'the same value has the same cursor');
      if (other !== binding) assert.equal(parseCursor(cursor, other, key), undefined);
      const otherKeys = [
        { ...key, authentication: Buffer.alloc(32) },
        { ...key, encryption: Buffer.alloc(32) },
      ];
      for (const each of otherKeys) assert.equal(parseCursor(cursor, binding, each), undefined);
    }),
  );
});

test('a binding and a text that joined are the same are different', () => {
  const [first, second] = [formatCursor([1], '2 a', key), formatCursor([1], '2', key)];
  assert.notEqual(first, second);
  assert.equal(parseCursor(first, '2', key), undefined);
});

test('[status.26, general.57] a cursor with any character changed, added or removed is invalid', () => {
  fc.assert(
    fc.property(
      anyValue,
      fc.nat(),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '+', '/', '=', '.', ' '),
      (value, at, character) => {
        const text = formatCursor(value, 'list', key);
        const index = at % text.length;
        const altered = [
          text.slice(0, index) + character + text.slice(index + 1),
          text.slice(0, index) + character + text.slice(index),
          text.slice(0, index) + text.slice(index + 1),
          `${text}${character}`,
        ];
        // A change may leave the text as it was.
        for (const each of altered.filter((other) => other !== text))
          assert.equal(parseCursor(each, 'list', key), undefined);
      },
    ),
  );
});

test('[status.26, general.57] a made-up text is not a cursor', () => {
  const payload = Buffer.from('[0]');
  const withoutKey = createHmac('sha256', '').update('4 list').update(payload).digest().subarray(0, 16);
  const encrypted = createCipheriv('aes-256-ctr', Buffer.alloc(32), withoutKey).update(payload);
  const texts = ['', 'x', 'AAAA', payload.toString('base64url'), randomBytes(90).toString('base64url')];
  texts.push(Buffer.concat([withoutKey, payload]).toString('base64url'));
  texts.push(Buffer.concat([withoutKey, encrypted]).toString('base64url'));
  texts.push(Buffer.alloc(16).toString('base64url'), Buffer.alloc(17).toString('base64url'));
  for (const text of texts) assert.equal(parseCursor(text, 'list', key), undefined, text);
});

test('a cursor does not show the names that it holds', () => {
  const name = 'Example Resident';
  const bytes = Buffer.from(formatCursor([0, name, 1001], 'list', key), 'base64url');
  assert.ok(!bytes.toString('latin1').includes(name));
});
