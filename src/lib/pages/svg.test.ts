// The builder against hand-written markup, then properties: whatever goes in is read back unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { noBrowser, openBrowser } from '../../../test/support/browser.ts';
import { formatDocument, element, fragment, trustedMarkup, roundTo, formatNumber } from './svg.ts';
import { codePoint } from '../../../test/support/code-point.ts';

test('an element has its attributes in their order, and closes itself where it has no children', () => {
  assert.equal(element('rect', { x: 1, fill: 'red', y: undefined }).markup, '<rect x="1" fill="red"/>');
  assert.equal(
    element('g', {}, element('path', { d: 'M0 0' }), 'one', trustedMarkup('<b/>')).markup,
    '<g><path d="M0 0"/>one<b/></g>',
  );
  assert.equal(fragment(element('a', {}), '<', element('b', {})).markup, '<a/>&lt;<b/>');
});

test('the root of a document is an svg element, and declares the namespace', () => {
  assert.equal(formatDocument(element('svg', {})), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  assert.equal(
    formatDocument(element('svg', { viewBox: '0 0 1 1' }, element('g', {}))),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g/></svg>',
  );
  for (const root of [element('g', {}), element('svgs', {}), trustedMarkup(''), trustedMarkup('<svg/>')])
    assert.throws(() => formatDocument(root), TypeError);
});

test('characters with a meaning in markup are escaped, in texts and in attributes', () => {
  const text = `<script>alert("1" & '2')</script>]]>`;
  const safe = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;]]&gt;';
  assert.equal(element('title', { id: text }, text).markup, `<title id="${safe}">${safe}</title>`);
});

test('line ends and tabs survive a parser; characters that XML 1.0 cannot hold are dropped, lone surrogates replaced', () => {
  assert.equal(element('t', {}, 'a\t\r\nb').markup, '<t>a&#9;&#13;&#10;b</t>');
  assert.equal(element('t', {}, '\u0000a\u0008\u001F\uFFFE\uFFFF').markup, '<t>a</t>');
  assert.equal(element('t', {}, 'a\uD800b\uDC00').markup, '<t>a\uFFFDb\uFFFD</t>');
  assert.equal(element('t', {}, 'æ日😀\u007F').markup, '<t>æ日😀\u007F</t>');
});

test('any text is read back from its markup unchanged, except for characters that XML cannot hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const markup = element('t', { a: text }, text).markup;
      const [, attribute = '', content = ''] = /^<t a="([^"<]*)">([^<>]*)<\/t>$/s.exec(markup) ?? [];
      // oxlint-disable-next-line no-control-regex
      const expected = text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '');
      assert.equal(read(attribute), expected);
      assert.equal(read(content), expected);
    }),
  );
});

/** What an XML parser makes of a text with references. */
function read(markup: string): string {
  // Before references are read, a parser makes one line feed of every line end, and a space of it in an attribute.
  assert.doesNotMatch(markup, /[\t\r\n]/);
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return markup.replaceAll(/&(#?)(\w+);/g, (_, hash, name: string) =>
    hash === '#' ? String.fromCharCode(Number(name)) : (names[name] ?? assert.fail(name)),
  );
}

test('a browser reads every text as it went in', { skip: noBrowser }, async () => {
  const texts = ['<b>&amp;</b>', `"'`, ' a\t\r\nb ', ']]>', '\u007F\u0085\u2028', 'æ日😀', 'a\u0301', '--><!--'];
  const browser = await openBrowser();
  try {
    const svg = formatDocument(element('svg', {}, ...texts.map((text) => element('text', { id: text }, text))));
    assert.equal(await browser.xmlError(svg), undefined);
    const found = await browser.evaluate(`
      [...new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelectorAll('text')]
        .map(({ id, textContent }) => [id, textContent])`);
    assert.deepEqual(
      found,
      texts.map((text) => [text, text]),
    );
    for (const text of ['<svg><g></svg>', '<svg a=">', ''])
      assert.notEqual(await browser.xmlError(text), undefined, 'the browser would not tell');
  } finally {
    await browser.close();
  }
});

const numbers: readonly (readonly [value: number, text: string])[] = [
  [0, '0'],
  [-0, '0'],
  [16, '16'],
  [-2.5, '-2.5'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, '1000000000000000000000'],
  [-1.5e22, '-15000000000000000000000'],
];

test('a number is spelled exactly, without an exponent and without a negative zero', () => {
  for (const [value, text] of numbers) assert.equal(formatNumber(value), text);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = formatNumber(value);
      assert.match(text, /^(?!-0$)-?\d+(\.\d+)?$/);
      assert.equal(Number(text), value === 0 ? 0 : value);
      assert.equal(element('t', { a: value }).markup, `<t a="${text}"/>`);
    }),
  );
});

test('a number is rounded to the decimals asked for, halves away from zero', () => {
  for (const [value, decimals, text] of [
    [1 / 3, 3, '0.333'],
    [2.5, 0, '3'],
    [-2.5, 0, '-3'],
    [-0.004, 2, '0'],
    [99.999, 2, '100'],
    [1e-9, 4, '0'],
  ] as const)
    assert.equal(formatNumber(value, decimals), text);
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.nat(6), (value, decimals) => {
      assert.ok(Math.abs(roundTo(value, decimals) - value) <= 0.5000001 * 10 ** -decimals);
      assert.match(formatNumber(value, decimals), new RegExp(`^(?!-0$)-?\\d+(\\.\\d{1,${Math.max(1, decimals)}})?$`));
    }),
  );
});

test('a number that is not finite is a defect of the drawing, and never drawn', () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    assert.throws(() => formatNumber(value), RangeError);
    assert.throws(() => element('t', { a: value }), RangeError);
  }
});
