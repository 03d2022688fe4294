// Cursors: what was formatted is parsed, and nothing else.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Grants } from '../../../permissions/needs.ts';
import { formatCursor, hashPageContext, parseCursor, type PageContext, type PageCursor } from './page-cursor.ts';

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

test('a cursor is parsed by whoever has its key', () => {
  fc.assert(
    fc.property(anyCursor, (cursor) => {
      const text = formatCursor(cursor, key);
      assert.match(text, /^[\w-]+$/);
      assert.ok(text.length <= 512);
      assert.deepEqual(parseCursor(text, Buffer.from(key)), cursor);
      assert.equal(parseCursor(text, Buffer.alloc(32, 8)), undefined);
    }),
  );
});

test('[status.26] a cursor of which any character was changed, added or taken away is none', () => {
  fc.assert(
    fc.property(
      anyCursor,
      fc.nat(),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '+', '/', '=', '.', ' '),
      (cursor, at, character) => {
        const text = formatCursor(cursor, key);
        const index = at % text.length;
        const altered = [
          text.slice(0, index) + character + text.slice(index + 1),
          text.slice(0, index) + character + text.slice(index),
          text.slice(0, index) + text.slice(index + 1),
          `${text}${character}`,
        ];
        // A change may leave the text as it was.
        for (const each of altered.filter((other) => other !== text)) assert.equal(parseCursor(each, key), undefined);
      },
    ),
  );
});

test('[status.26] what was made up is no cursor', () => {
  const payload = `${'a'.repeat(22)}.${'b'.repeat(22)}.0.25`;
  const withoutKey = createHmac('sha256', '').update(payload).digest();
  const texts = ['', 'x', 'AAAA', Buffer.from(payload).toString('base64url'), randomBytes(90).toString('base64url')];
  texts.push(Buffer.concat([withoutKey, Buffer.from(payload)]).toString('base64url'));
  texts.push(Buffer.alloc(32).toString('base64url'), Buffer.alloc(33).toString('base64url'));
  for (const text of texts) assert.equal(parseCursor(text, key), undefined, text);
});

const grants: Grants = { tenantWide: false, banks: new Set([1, 2]), locations: new Map([[3, new Set([1, 2])]]) };
const context: PageContext = {
  scope: { environment: 'production', grants },
  managerId: 1001,
  pageSize: 25,
  language: 'en',
};

test('[status.27] the context of a page is its environment, manager, grants, page size and language', () => {
  const withGrants = (change: Partial<Grants>): PageContext => ({
    ...context,
    scope: { environment: 'production', grants: { ...grants, ...change } },
  });
  const others: PageContext[] = [
    { ...context, scope: { environment: 'beta', grants } },
    { ...context, managerId: 1002 },
    { ...context, pageSize: 26 },
    { ...context, language: 'da' },
    withGrants({ tenantWide: true }),
    withGrants({ banks: new Set([1]) }),
    withGrants({ banks: new Set([1, 2, 3]) }),
    withGrants({ locations: new Map([[3, new Set([1])]]) }),
    withGrants({ locations: new Map([[4, new Set([1, 2])]]) }),
    withGrants({ locations: new Map() }),
  ];
  const hashes = [context, ...others].map((each) => hashPageContext(each, key));
  assert.equal(new Set(hashes).size, hashes.length);
  const reordered = withGrants({ banks: new Set([2, 1]), locations: new Map([[3, new Set([2, 1])]]) });
  assert.equal(hashPageContext(reordered, key), hashes[0]);
});
