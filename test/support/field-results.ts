// Checks which texts the parser of a field accepts, and as which value.

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FieldResult } from '../../src/lib/values/field-values.ts';
import { codePoint } from './code-point.ts';

export const valueOf = <T>(result: FieldResult<T>): T | undefined => ('value' in result ? result.value : undefined);

/** A text without an expected value is refused with a reason. */
export function assertParsed<T>(
  parse: (text: string) => FieldResult<T>,
  table: readonly (readonly [text: string, expected: T | undefined])[],
): void {
  for (const [text, expected] of table) {
    const result = parse(text);
    assert.deepEqual(valueOf(result), expected, JSON.stringify(text));
    if ('reason' in result) assert.match(result.reason, /^must (?:be|have|not) /, text);
  }
}

/** No text makes the parser throw, and an accepted value is accepted again unchanged. */
export function assertStable(parse: (text: string) => FieldResult): void {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (text) => {
      const value = valueOf(parse(text));
      if (value !== undefined) assert.equal(valueOf(parse(value)), value);
    }),
    { numRuns: 400 },
  );
}
