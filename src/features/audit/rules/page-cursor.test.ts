import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatAuditCursor, parseAuditCursor } from './page-cursor.ts';

const positions = fc.record(
  { at: fc.maxSafeInteger(), chain: fc.maxSafeNat(), sequence: fc.maxSafeNat() },
  { noNullPrototype: true },
);

test('a formatted cursor parses to the same position', () => {
  fc.assert(
    fc.property(positions, (position) => {
      assert.deepEqual(parseAuditCursor(formatAuditCursor(position)), position);
    }),
  );
});

test('a text that is not a cursor is not parsed', () => {
  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  const wrong = ['', '1.2.3', encode('1.2'), encode('1.2.3.4'), encode('01.2.3'), encode('1.-2.3'), encode('-0.1.1')];
  wrong.push(encode('9007199254740993.1.1'), `${encode('1.2.3')}=`, `${encode('1.2.3')} `, encode('1.2.3\n'));
  for (const text of wrong) assert.equal(parseAuditCursor(text), undefined, text);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const position = parseAuditCursor(text);
      if (position !== undefined) assert.equal(formatAuditCursor(position), text);
    }),
  );
});
