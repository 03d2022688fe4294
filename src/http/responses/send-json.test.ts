// Which JSON media type an Accept field prefers, and whether If-None-Match matches an entity tag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { negotiateJsonType } from './send-json.ts';
import { findMatchingEtag } from '../representations/representation.ts';

const offered = ['application/json', 'text/json', 'text/plain'];

/** Of the ranges that match a type, the most specific one decides (RFC 9110, 12.5.1). */
function weightOf(type: string, ranges: readonly { range: string; q: number }[]): number {
  const [main = ''] = type.split('/');
  for (const wanted of [type, `${main}/*`, '*/*']) {
    const found = ranges.find(({ range }) => range === wanted);
    if (found !== undefined) return found.q;
  }
  return 0;
}

test('[general.24] no other offered type weighs more than the one that is chosen', () => {
  const range = fc.constantFrom(...offered, 'text/*', 'application/*', '*/*', 'text/html', 'application/xml');
  const accepted = fc.uniqueArray(fc.record({ range, q: fc.nat({ max: 10 }).map((tenths) => tenths / 10) }), {
    minLength: 1,
    maxLength: 6,
    selector: (each) => each.range,
  });
  fc.assert(
    fc.property(accepted, (ranges) => {
      const type = negotiateJsonType(ranges.map(({ range: each, q }) => `${each};q=${q}`).join(', '));
      const chosen = /^([^;]+); charset=utf-8$/.exec(type)?.[1] ?? '';
      const weights = offered.map((each) => weightOf(each, ranges));
      // If none is acceptable, the answer is application/json.
      if (Math.max(...weights) === 0) assert.equal(chosen, 'application/json');
      else assert.equal(weightOf(chosen, ranges), Math.max(...weights));
    }),
    { numRuns: 500 },
  );
});

test('[general.24] without a preference the answer is application/json', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*',
    'text/html',
    'x',
    ';;',
    ',',
    'application/json-patch+json',
  ])
    assert.equal(negotiateJsonType(accept), 'application/json; charset=utf-8', accept ?? 'no Accept');
});

test('[general.50] an entity tag is matched directly, weakly, in a list or by the star', () => {
  for (const field of ['"r"', 'W/"r"', '"a", "r"', '"a","r","b"', 'W/"a" , W/"r"', '*', ' * ', '"a,b", "r"', '"", "r"'])
    assert.ok(findMatchingEtag(field, '"r"'), field);
  for (const field of [
    undefined,
    '',
    'r',
    '""',
    '"R"',
    '"r',
    'r"',
    '"x"',
    '"rr"',
    'W/r',
    "'r'",
    '"*"',
    'w/"x"',
    '"a r"',
    '"a\\"r\\""',
  ])
    assert.ok(!findMatchingEtag(field, '"r"'), field ?? 'no field');
});
