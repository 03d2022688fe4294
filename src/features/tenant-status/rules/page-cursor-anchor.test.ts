// Checks that an anchor is a kind and the KID of a unit of the tenant, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAnchor } from './page-cursor.ts';

test('[status.28] an anchor is Kind:unitKid, of any kind', () => {
  const unitKid = 'sund-B1001-L12-U7';
  assert.deepEqual(parseAnchor(`Offline:${unitKid}`, 'sund'), { kind: 'Offline', unitKid });
  assert.deepEqual(parseAnchor(`AutoOutOfOrder:${unitKid}`, 'sund'), { kind: 'AutoOutOfOrder', unitKid });
  assert.deepEqual(parseAnchor(`SyncStale:${unitKid}`, 'sund'), { kind: 'SyncStale', unitKid });
  const refused = ['', ':', unitKid, `:${unitKid}`, 'Offline', 'Offline:', `offline:${unitKid}`, `Online:${unitKid}`];
  refused.push(`Offline: ${unitKid}`, `Offline:${unitKid} `, `Offline:${unitKid}:`, `Offline::${unitKid}`);
  refused.push('Offline:sund-B1001-L12', 'Offline:sund-B01001-L12-U7', 'Offline:fjord-B1001-L12-U7', 'Offline:sund');
  for (const text of refused) assert.equal(parseAnchor(text, 'sund'), undefined, text);
});
