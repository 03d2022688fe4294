// What the console makes of KIDs that people type or paste, and how it names the kinds that can be imported.
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfKind } from '../../console/src/imports/import-kinds.ts';
import { bankKidOf, findKid, locationKidOf, unitKidOf } from '../../console/src/kid.ts';
import { pathOfKid } from '../../console/src/paths.ts';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';
import { formatKid, kidTypes, parseKid } from '../../src/lib/kid.ts';

const examples: Readonly<Record<string, string>> = {
  'sund-B1001': 'bank',
  'sund-B1001-L1': 'location',
  'sund-B1001-L1-U2': 'unit',
  'sund-B1001-L1-U2-D77': 'document',
  'sund-B1001-R1001': 'resident',
  'sund-B1001-X5': 'posting',
  'sund-B1001-E6': 'booking',
  'sund-B1001-C7': 'computer',
  'sund-B1001-H8': 'heldLine',
  'sund-F9': 'import',
  'sund-M1001': 'manager',
  'sund-I2001': 'installer',
  'sund-B0-M1': 'service',
};

test('the console knows every kind of KID that the service has, and what each belongs to', () => {
  // All but the tenant's own.
  assert.equal(Object.keys(examples).length, kidTypes.length - 1);
  for (const [kid, type] of Object.entries(examples)) {
    const parsed = parseKid(kid, 'sund', kidTypes);
    assert.ok(parsed !== undefined, kid);
    assert.equal(formatKid(parsed), kid);
    assert.deepEqual(findKid(kid, 'sund'), { type, kid });
    assert.equal(bankKidOf(kid), 'bankId' in parsed ? 'sund-B1001' : '');
  }
  assert.equal(locationKidOf('sund-B1001-L1-U2-D77'), 'sund-B1001-L1');
  assert.equal(unitKidOf('sund-B1001-L1-U2-D77'), 'sund-B1001-L1-U2');
});

test('a KID is found whatever its case, without the name of the portal, and between quotation marks', () => {
  const found = { type: 'unit', kid: 'sund-B1001-L1-U2' };
  for (const text of [
    ' sund-B1001-L1-U2 ',
    'SUND-b1001-l1-u2',
    'B1001-L1-U2',
    '"sund-B1001-L1-U2",',
    '(sund-B1001-L1-U2).',
  ])
    assert.deepEqual(findKid(text, 'sund'), found, text);
  for (const text of ['', 'sund', 'island-B1001', 'B0', 'B01', 'B1001-L1-U2-', 'resident B1001', 'B1001 L1'])
    assert.equal(findKid(text, 'sund'), undefined, text);
});

test('whatever is typed, a found KID is one that the service could have', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(?:sund-)?[BLURXECHFMI0-9-]{0,20}$/), (text) => {
      const found = findKid(text, 'sund');
      if (found !== undefined) assert.match(found.kid, /^sund(?:-[BLURXECHFMID]\d+)+$/);
    }),
  );
});

test('every object but a booking has a screen', () => {
  for (const [kid, type] of Object.entries(examples)) {
    const path = pathOfKid({ type, kid } as Parameters<typeof pathOfKid>[0]);
    if (type === 'booking') assert.equal(path, undefined);
    else assert.match(path ?? '', /^\/[a-z]+\//, kid);
  }
});

test('every kind of import has a name in the console', () => {
  for (const name of Object.keys(importKinds)) assert.ok(textOfKind(name) !== undefined, name);
});
