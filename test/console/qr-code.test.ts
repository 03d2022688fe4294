// The QR codes that the console draws, against symbols that the package qrcode 1.5.4 makes.
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeQrCode, quietZone } from '../../console/src/computers/qr-code.ts';

const symbolOf = (modules: ReturnType<typeof encodeQrCode>): readonly (readonly boolean[])[] =>
  modules.slice(quietZone, -quietZone).map((row) => row.slice(quietZone, -quietZone));

/** Each row is a number of hexadecimal digits: its bits are the modules, the first one is the highest. */
const symbols = [
  {
    text: '7K3M-9XQP-2RTW-HV4C',
    mask: 0,
    rows: [
      '1fc67f 105841 174e5d 17475d 17595d 104241 1fd57f 600 154512 132669 14c91e 193dfa de1ab',
      '152c 1fc748 104564 175f24 174016 175b99 1045df 1fd921',
    ].join(' '),
  },
  {
    text: 'HELLO WORLD',
    mask: 0,
    rows: [
      '1fc57f 105c41 17455d 17455d 17575d 104e41 1fd57f 0 154912 f1211 3fa58 1eb3ae 9ea75 1445',
      '1fc12c 104c68 17597f 1746a2 175ee9 10438b 1fdae1',
    ].join(' '),
  },
  {
    text: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    mask: 2,
    rows: [
      '1fc0b7f 1042541 175725d 1754a5d 1756d5d 1059241 1fd557f 19d00 17c507c 141c28f 185ff78',
      '332462 a45b85 1191519 14d42e6 17aba19 1358dfa 16117 1fc9f5d 105d312 175e1fd 1751d7b',
      '17566c1 104fa84 1fd9579',
    ].join(' '),
  },
];

test('a QR code is the symbol that others make of the same text and mask', () => {
  for (const { text, mask, rows } of symbols) {
    const drawn = symbolOf(encodeQrCode(text, mask)).map((row) =>
      BigInt(`0b${row.map((isDark) => (isDark ? '1' : '0')).join('')}`).toString(16),
    );
    assert.equal(drawn.join(' '), rows, text);
  }
});

test('any enrolment code has a symbol of version 1, with four light modules on each side', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}$/), (code) => {
      const modules = encodeQrCode(code);
      assert.ok(modules.length === 29 && modules.every((row) => row.length === 29));
      const dark = modules.flat().filter(Boolean).length;
      assert.equal(symbolOf(modules).flat().filter(Boolean).length, dark);
    }),
    { numRuns: 20 },
  );
});
