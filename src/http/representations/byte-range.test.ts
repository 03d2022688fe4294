// Which bytes a Range field requests.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRange } from './byte-range.ts';

const whole = undefined;

test('[download.07] a range is read as RFC 9110 says', () => {
  const cases: [field: string | undefined, expected: ReturnType<typeof parseByteRange>][] = [
    [undefined, whole],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-499', { first: 0, last: 499 }],
    ['bytes=500-999', { first: 500, last: 999 }],
    ['bytes=500-', { first: 500, last: 999 }],
    ['bytes=-500', { first: 500, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['bytes=999-', { first: 999, last: 999 }],
    ['bytes=0-99999999999999999999999999', { first: 0, last: 999 }],
    ['BYTES=1-2', { first: 1, last: 2 }],
    ['bytes= 1-2 ,', { first: 1, last: 2 }],
    ['bytes=007-010', { first: 7, last: 10 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=1000-1001', 'unsatisfiable'],
    ['bytes=99999999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    // Several ranges, other units and malformed ranges: the whole.
    ['bytes=0-1,3-4', whole],
    ['bytes=5-4', whole],
    ['bytes=99999999999999999-88888888888888888', whole],
    ['bytes=100000000000000000-99999999999999999', whole],
    ['bytes=99999999999999999-00100000000000000000', 'unsatisfiable'],
    ['bytes=99999999999999999-99999999999999999', 'unsatisfiable'],
    ['items=0-1', whole],
    ['bytes 0-1', whole],
    ['bytes=', whole],
    ['bytes=-', whole],
    ['bytes=a-b', whole],
    ['bytes=1', whole],
    ['bytes=1-2-3', whole],
    ['bytes=+1-2', whole],
    ['bytes=0x1-2', whole],
    ['bytes=1.5-2', whole],
    ['', whole],
  ];
  for (const [field, expected] of cases) assert.deepEqual(parseByteRange(field, 1000), expected, field ?? 'none');
});

test('[download.07] a range of any file equals a slice of its bytes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.option(fc.nat(60), { nil: undefined }),
      fc.option(fc.nat(60), { nil: undefined }),
      (size, from, through) => {
        const bytes = Array.from({ length: size }, (_, index) => index);
        const sliced =
          from === undefined
            ? through === undefined || through === 0
              ? []
              : bytes.slice(-through)
            : bytes.slice(from, through === undefined ? undefined : through + 1);
        const range = parseByteRange(`bytes=${from ?? ''}-${through ?? ''}`, size);
        const isRange = (from ?? through) !== undefined && (from === undefined || (through ?? from) >= from);
        if (!isRange) assert.equal(range, undefined);
        else if (sliced.length === 0) assert.equal(range, 'unsatisfiable');
        else assert.deepEqual(range, { first: sliced[0], last: sliced.at(-1) });
      },
    ),
  );
});
