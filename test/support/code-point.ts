// The unit of texts that may have any character: `fc.string({ unit: codePoint })`. The library's own unit `binary` does the
// same with a table of all 1,112,064 of them, which each process takes a second to fill and then keeps.

import * as fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const lastCodePoint = 0x10ffff;

/** Any Unicode scalar value, each as likely as any other. */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: lastCodePoint - surrogates }).map(
  (at) => String.fromCodePoint(at < firstSurrogate ? at : at + surrogates),
  // With it the library also mixes in texts that are known to break programs.
  (text) => {
    const code = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not one character');
    return code < firstSurrogate ? code : code - surrogates;
  },
);
