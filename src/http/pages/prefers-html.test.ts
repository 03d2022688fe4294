// Only a field that names text/html and prefers it to JSON gets a page.

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { prefersHtml } from './prefers-html.ts';

const cases: readonly [accept: string | undefined, expected: boolean][] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['application/problem+json', false],
  ['application/problem+json, application/json;q=0.9', false],
  ['application/json, text/plain, */*', false],
  ['application/json, text/html;q=0.9', false],
  ['application/json, text/html', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0.5, application/json;q=0.6', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/html, application/json;q=0.9', true],
  // Chromium and Firefox, when somebody opens an address.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
];

test('browsers that open an address prefer a page, and programs do not', () => {
  for (const [accept, expected] of cases) assert.equal(prefersHtml(accept), expected, String(accept));
});

const ranges = ['text/html', 'text/*', '*/*', 'application/json', 'application/*', 'application/problem+json'] as const;
type Range = (typeof ranges)[number];

/** In thousandths; 0 if no range accepts the type. The most specific range counts (RFC 9110, 12.5.1). */
function weightOf(weights: ReadonlyMap<Range, number>, type: Range): number {
  const wider: readonly Range[] = [type, `${type.split('/', 1)[0]}/*` as Range, '*/*'];
  return wider.map((range) => weights.get(range)).find((weight) => weight !== undefined) ?? 0;
}

test('a page is preferred exactly where text/html is named, and weighs more than every kind of JSON', () => {
  const field = fc.uniqueArray(fc.tuple(fc.constantFrom(...ranges), fc.integer({ min: 0, max: 1000 })), {
    selector: ([range]) => range,
    maxLength: ranges.length,
  });
  fc.assert(
    fc.property(field, (entries) => {
      const weights = new Map(entries);
      const page = weightOf(weights, 'text/html');
      // text/json and text/plain are kinds of JSON here, and no range of these names them.
      const json = Math.max(
        weightOf(weights, 'application/json'),
        weightOf(weights, 'application/problem+json'),
        weights.get('text/*') ?? weights.get('*/*') ?? 0,
      );
      fc.pre(page !== json);
      const accept = entries.map(([range, weight]) => `${range};q=${(weight / 1000).toFixed(3)}`).join(', ');
      assert.equal(prefersHtml(accept), weights.has('text/html') && page > json, accept);
    }),
  );
});
