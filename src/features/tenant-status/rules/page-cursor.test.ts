// Checks which values must stay the same from page to page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grants } from '../../../permissions/needs.ts';
import { hashCursorContext, type CursorContext } from './page-cursor.ts';

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
  const hashes = [context, ...others].map((each) => hashCursorContext(each));
  assert.equal(new Set(hashes).size, hashes.length);
  const reordered = withGrants({ banks: new Set([2, 1]), locations: new Map([[3, new Set([2, 1])]]) });
  assert.equal(hashCursorContext(reordered), hashes[0]);
});
