// Colours: the grammar by tables and properties, the names against a browser's own, mixtures against CSS's definition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { noBrowser, openBrowser } from '../../test/support/browser.ts';
import { colorAt, formatCssColor, parseColor, transparent, type Color } from './color.ts';
import { cssColorNames } from './color/css-color-names.ts';
import { portalColorNames } from './color/portal-color-names.ts';
import { codePoint } from '../../test/support/code-point.ts';

const rgb = (red: number, green: number, blue: number): Color => ({ red, green, blue, alpha: 1 });

const readable: readonly (readonly [text: string, css: string])[] = [
  ['ff8000', '#ff8000'],
  ['FF8000', '#ff8000'],
  ['000000', '#000000'],
  ['0a0b0c', '#0a0b0c'],
  ['f80', '#ff8800'],
  ['ABC', '#aabbcc'],
  ['000', '#000000'],
  ['red', '#ff0000'],
  ['RebeccaPurple', '#663399'],
  ['REBECCAPURPLE', '#663399'],
  ['lightgoldenrodyellow', '#fafad2'],
  ['tan', '#d2b48c'],
  ['bisque', '#ffe4c4'],
  ['Online', '#2b8a57'],
  ['oNLINE', '#2b8a57'],
  ['outoforder', '#b9342b'],
  ['transparent', 'transparent'],
  ['TransParent', 'transparent'],
];

const unreadable = [
  '',
  '0',
  '00',
  '0000',
  '00000',
  '0000000',
  '00000000',
  '#000',
  '#000000',
  '%23000000',
  'ggg',
  'gggggg',
  '00000g',
  '-12345',
  '+12345',
  '0x1234',
  ' 000000',
  '000 00',
  '١٢٣',
  '１２３',
  're',
  'redd',
  'red ',
  'red\n',
  'colour',
  'online1',
  'out-of-order',
  'OutOf Order',
  'none',
  'inherit',
  'currentcolor',
  'rgb(0,0,0)',
  'blac\u212A',
  '\u017Felver',
  'constructor',
  '__proto__',
  'toString',
];

test('[images.05] a colour is three or six hex digits, a name of the portal or of CSS, or transparent, in any case', () => {
  for (const [text, css] of readable) assert.equal(formatCssColor(parseColor(text) ?? assert.fail(text)), css, text);
});

test('[images.05] other digit counts, a # and unknown names are no colours', () => {
  for (const text of unreadable) assert.equal(parseColor(text), undefined, text);
});

test('[images.05] every colour of six digits is read as its three bytes, and spelled as them', () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, byte, fc.boolean(), (red, green, blue, upper) => {
      const digits = Buffer.from([red, green, blue]).toString('hex');
      assert.deepEqual(parseColor(upper ? digits.toUpperCase() : digits), rgb(red, green, blue));
      assert.equal(formatCssColor(rgb(red, green, blue)), `#${digits}`);
    }),
  );
});

test('[images.05] three digits are each doubled', () => {
  for (let value = 0; value < 4096; value++) {
    const digits = value.toString(16).padStart(3, '0');
    assert.equal(formatCssColor(parseColor(digits) ?? assert.fail(digits)), `#${digits.replaceAll(/./g, '$&$&')}`);
  }
});

test('[images.05] any text that is neither digits nor a name is no colour', () => {
  const names = [...Object.keys(cssColorNames), ...Object.keys(portalColorNames), 'transparent'].map((name) =>
    name.toLowerCase(),
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: codePoint, maxLength: 12 }), fc.stringMatching(/^[#0-9a-fG]{1,9}$/)),
      (text) => {
        const isColor = /^([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) || names.includes(text.toLowerCase());
        assert.equal(parseColor(text) !== undefined, isColor, text);
      },
    ),
  );
});

test('[images.05] the portal names its own colours, none as CSS does or as digits would be', () => {
  const css = new Set([...Object.keys(cssColorNames), 'transparent', 'currentcolor', 'none']);
  const own = Object.keys(portalColorNames);
  assert.equal(own.length, 16);
  for (const name of own) {
    assert.match(name, /^[A-Z][A-Za-z]+$/);
    assert.ok(!css.has(name.toLowerCase()), name);
    assert.doesNotMatch(name, /^([0-9a-f]{3}|[0-9a-f]{6})$/i);
  }
});

test('[images.05] the names of CSS are all 148, each the colour a browser gives it', { skip: noBrowser }, async () => {
  const names = Object.keys(cssColorNames);
  assert.equal(names.length, 148);
  const browser = await openBrowser();
  try {
    const shown = (await browser.evaluate(`${JSON.stringify(names)}.map((name) => {
      document.body.style.color = '';
      document.body.style.color = name;
      return document.body.style.color && getComputedStyle(document.body).color;
    })`)) as string[];
    for (const [index, name] of names.entries()) {
      const { red, green, blue } = parseColor(name) ?? assert.fail(name);
      assert.equal(shown[index], `rgb(${red}, ${green}, ${blue})`, name);
    }
    const ours = JSON.stringify(Object.keys(portalColorNames));
    assert.equal(await browser.evaluate(`${ours}.some((name) => CSS.supports('color', name))`), false);
  } finally {
    await browser.close();
  }
});

test('a colour fades into transparent as itself, without greying', () => {
  const orange = rgb(255, 128, 0);
  assert.deepEqual(colorAt([orange, transparent], 0.25), { ...orange, alpha: 0.75 });
  assert.deepEqual(colorAt([transparent, orange], 0.25), { ...orange, alpha: 0.25 });
  assert.deepEqual(colorAt([transparent, transparent], 0.5), transparent);
  assert.equal(formatCssColor(colorAt([orange, transparent], 1)), 'transparent');
});

const anyColor = fc.oneof(
  fc.constant(transparent),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((channels) => rgb(...channels)),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const channels = ['red', 'green', 'blue'] as const;

test('a mixture has, weighed by alpha, the weighed mean of both in each channel', () => {
  fc.assert(
    fc.property(anyColor, anyColor, share, (from, to, at) => {
      const mixture = colorAt([from, to], at);
      near(mixture.alpha, from.alpha * (1 - at) + to.alpha * at);
      for (const channel of channels)
        near(mixture[channel] * mixture.alpha, from[channel] * from.alpha * (1 - at) + to[channel] * to.alpha * at);
    }),
  );
});

test('colours are evenly spaced over a scale: its ends are the first and the last', () => {
  const [red, lime, blue, white] = [rgb(255, 0, 0), rgb(0, 255, 0), rgb(0, 0, 255), rgb(255, 255, 255)];
  for (const [colors, position, css] of [
    [[red, lime], 0.5, '#808000'],
    [[red, lime, blue], 0.5, '#00ff00'],
    [[red, lime, blue], 0.25, '#808000'],
    [[red, lime, blue, white], 1 / 3, '#00ff00'],
    [[red, lime, blue, white], 2 / 3, '#0000ff'],
    [[red, lime, blue, white], 5 / 6, '#8080ff'],
  ] as const)
    assert.equal(formatCssColor(colorAt(colors, position)), css);
  fc.assert(
    fc.property(fc.array(anyColor, { minLength: 2, maxLength: 4 }), (colors) => {
      assert.deepEqual(colorAt(colors, 0), colors[0]);
      assert.deepEqual(colorAt(colors, 1), colors.at(-1));
    }),
  );
});

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
}
