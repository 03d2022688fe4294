// Checks that only formatted cursors are parsed.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Grants } from '../../../permissions/needs.ts';
import {
  formatStatusCursor,
  hashCursorContext,
  parseStatusCursor,
  type CursorContext,
  type PageCursor,
} from './page-cursor.ts';

const key = Buffer.alloc(32, 7);
const anyId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
const anyCursor: fc.Arbitrary<PageCursor> = fc.record(
  {
    snapshotId: anyId,
    contextHash: anyId,
    offset: fc.nat(1999),
    count: fc.integer({ min: 1, max: 100 }),
  },
  { noNullPrototype: true },
);

test('a cursor is parsed with its key', () => {
  fc.assert(
    fc.property(anyCursor, (cursor) => {
      const text = formatStatusCursor(cursor, key);
      assert.match(text, /^[\w-]+$/);
      assert.ok(text.length <= 512);
      assert.deepEqual(parseStatusCursor(text, Buffer.from(key)), cursor);
      assert.equal(parseStatusCursor(text, Buffer.alloc(32, 8)), undefined);
    }),
  );
});

test('[status.26] a cursor with any character changed, added or removed is invalid', () => {
  fc.assert(
    fc.property(
      anyCursor,
      fc.nat(),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '+', '/', '=', '.', ' '),
      (cursor, at, character) => {
        const text = formatStatusCursor(cursor, key);
        const index = at % text.length;
        const altered = [
          text.slice(0, index) + character + text.slice(index + 1),
          text.slice(0, index) + character + text.slice(index),
          text.slice(0, index) + text.slice(index + 1),
          `${text}${character}`,
        ];
        // A change may leave the text as it was.
        for (const each of altered.filter((other) => other !== text))
          assert.equal(parseStatusCursor(each, key), undefined);
      },
    ),
  );
});

test('[status.26] a made-up text is not a cursor', () => {
  const payload = `${'a'.repeat(22)}.${'b'.repeat(22)}.0.25`;
  const withoutKey = createHmac('sha256', '').update(payload).digest();
  const texts = ['', 'x', 'AAAA', Buffer.from(payload).toString('base64url'), randomBytes(90).toString('base64url')];
  texts.push(Buffer.concat([withoutKey, Buffer.from(payload)]).toString('base64url'));
  texts.push(Buffer.alloc(32).toString('base64url'), Buffer.alloc(33).toString('base64url'));
  for (const text of texts) assert.equal(parseStatusCursor(text, key), undefined, text);
});

const grants: Grants = { tenantWide: false, banks: new Set([1, 2]), locations: new Map([[3, new Set([1, 2])]]) };
const context: CursorContext = {
  scope: { environment: 'production', grants },
  principalId: 1001,
  pageSize: 25,
  language: 'en',
};

test('[status.27] the context of a page is its environment, manager, grants, page size and language', () => {
  const withGrants = (change: Partial<Grants>): CursorContext => ({
    ...context,
    scope: { environment: 'production', grants: { ...grants, ...change } },
  });
  const others: CursorContext[] = [
    { ...context, scope: { environment: 'beta', grants } },
    { ...context, principalId: 1002 },
    { ...context, pageSize: 26 },
    { ...context, language: 'da' },
    withGrants({ tenantWide: true }),
    withGrants({ banks: new Set([1]) }),
    withGrants({ banks: new Set([1, 2, 3]) }),
    withGrants({ locations: new Map([[3, new Set([1])]]) }),
    withGrants({ locations: new Map([[4, new Set([1, 2])]]) }),
    withGrants({ locations: new Map() }),
  ];
  const hashes = [context, ...others].map((each) => hashCursorContext(each, key));
  assert.equal(new Set(hashes).size, hashes.length);
  const reordered = withGrants({ banks: new Set([2, 1]), locations: new Map([[3, new Set([2, 1])]]) });
  assert.equal(hashCursorContext(reordered, key), hashes[0]);
});
