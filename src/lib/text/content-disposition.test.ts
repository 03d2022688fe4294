// File names in Content-Disposition: readable by every client, and never more than a name.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatContentDisposition, toFileNamePart } from './content-disposition.ts';
import { codePoint } from '../../../test/support/code-point.ts';

test('a name in ASCII is quoted, another one is given twice', () => {
  assert.equal(formatContentDisposition('inline', 'Washer 3.html'), 'inline; filename="Washer 3.html"');
  assert.equal(
    formatContentDisposition('attachment', 'Tørrer (2) 100%.csv'),
    `attachment; filename="T_rrer (2) 100_.csv"; filename*=UTF-8''T%C3%B8rrer%20%282%29%20100%25.csv`,
  );
});

test('whatever a unit is called, the header is one line of ASCII, and the name has no path', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), fc.boolean(), (name, isInline) => {
      const part = toFileNamePart(name);
      assert.ok(Array.from(part).length <= 80);
      assert.doesNotMatch(part, /[\\/:*?"<>|\p{Cc}]/u);
      const header = formatContentDisposition(isInline ? 'inline' : 'attachment', `${part}.csv`);
      assert.match(
        header,
        /^(?:inline|attachment); filename="[ !#-$&-[\]-~]*"(?:; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*)?$/,
      );
      const [, extended] = /filename\*=UTF-8''(.*)$/.exec(header) ?? [];
      if (extended !== undefined) assert.equal(decodeURIComponent(extended), `${part}.csv`);
    }),
  );
});

test('characters that a name cannot have are replaced', () => {
  assert.equal(toFileNamePart('  a/b\\c:d*e?f"g<h>i|j\r\nk  '), 'a_b_c_d_e_f_g_h_i_j__k');
  assert.equal(toFileNamePart('x'.repeat(100), 3), 'xxx');
  assert.equal(toFileNamePart('\u{d800}a'), '\ufffda');
});
