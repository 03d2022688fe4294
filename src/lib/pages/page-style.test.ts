// Checks the contrasts of the page by WCAG 2.2, in both colour schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageStyle } from './page-style.ts';

/** The custom properties of a rule, in full hex digits. */
const readColors = (rule: string): Map<string, string> =>
  new Map(
    [...rule.matchAll(/--([\w-]+): #([0-9a-f]{3,6})/g)].map(([, name = '', hex = '']) => [
      name,
      hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex,
    ]),
  );

/** Relative luminance of a colour in sRGB. */
function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

const texts = [
  ['text', 'paper'],
  ['text', 'card'],
  ['soft', 'card'],
  ['brand', 'card'],
  ['on-brand', 'brand'],
  ['on-mark', 'mark'],
] as const;
const shapes = [
  ['brand', 'paper'],
  ['focus', 'paper'],
  ['focus', 'card'],
] as const;

test('text has a contrast of at least 4.5 to 1, and marks of focus and buttons have at least 3 to 1', () => {
  const [light = '', dark = ''] = [...pageStyle.matchAll(/:root \{([^}]*)\}/g)].map(([, rule = '']) => rule);
  for (const [scheme, rule] of Object.entries({ light, dark })) {
    const colors = readColors(rule);
    assert.equal(colors.size, 10, scheme);
    const contrast = ([a, b]: readonly [string, string]): number =>
      contrastOf(colors.get(a) ?? '', colors.get(b) ?? '');
    for (const pair of texts) assert.ok(contrast(pair) >= 4.5, `${scheme} ${pair.join()}: ${contrast(pair)}`);
    for (const pair of shapes) assert.ok(contrast(pair) >= 3, `${scheme} ${pair.join()}: ${contrast(pair)}`);
  }
  assert.ok(Math.abs(contrastOf('000000', 'ffffff') - 21) < 0.001);
});
