// Checks the linear gradient: its line by the projection of the corners, its stops against a table, and the image
// against CSS linear-gradient() in a browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { noBrowser, openBrowser, type Browser } from '../../../../test/support/browser.ts';
import { decodePixels, comparePixels, premultipliedPixelAt, rasterizeSvg } from '../../../../test/support/pixels.ts';
import { elementOf, elementsOf } from '../../../../test/support/svg.ts';
import {
  drawLinearGradient,
  formatLinearGradientKey,
  parseLinearGradientParameters,
  type LinearGradientParameters,
} from './linear-gradient.ts';

const drawn = (texts: Partial<LinearGradientParameters>): string =>
  drawLinearGradient(parseLinearGradientParameters({ colors: 'red-blue', angle: '0', ...texts }));

type Point = readonly [x: number, y: number];

function lineOf(svg: string): { from: Point; to: Point } {
  const { x1, y1, x2, y2 } = elementOf(svg, 'linearGradient');
  return { from: [Number(x1), Number(y1)], to: [Number(x2), Number(y2)] };
}

const stopsOf = (svg: string): string[] =>
  elementsOf(svg, 'stop').map((stop) =>
    [stop['offset'], stop['stop-color'], stop['stop-opacity']].filter((value) => value !== undefined).join(' '),
  );

test('[images.16] colours are evenly spaced: three are at 0, 50 and 100 percent', () => {
  for (const [colors, stops] of [
    ['red-00f', ['0% #ff0000', '100% #0000ff']],
    ['red-lime-00f', ['0% #ff0000', '50% #00ff00', '100% #0000ff']],
    ['red-lime-00f-Online', ['0% #ff0000', '33.3333% #00ff00', '66.6667% #0000ff', '100% #2b8a57']],
    ['red-red', ['0% #ff0000', '100% #ff0000']],
  ] as const)
    assert.deepEqual(stopsOf(drawn({ colors })), stops);
});

test('a transparent stop has the colour of its neighbour, or two stops if its neighbours differ', () => {
  for (const [colors, stops] of [
    ['red-transparent', ['0% #ff0000', '100% #ff0000 0']],
    ['transparent-red', ['0% #ff0000 0', '100% #ff0000']],
    ['red-transparent-red', ['0% #ff0000', '50% #ff0000 0', '100% #ff0000']],
    ['red-transparent-blue', ['0% #ff0000', '50% #ff0000 0', '50% #0000ff 0', '100% #0000ff']],
    ['transparent-transparent', ['0% #000000 0', '100% #000000 0']],
    ['red-transparent-transparent', ['0% #ff0000', '50% #ff0000 0', '100% #000000 0']],
  ] as const)
    assert.deepEqual(stopsOf(drawn({ colors })), stops);
});

test('[images.17] at 0 the first colour is on the left, at 90 on top, at 180 on the right, at 270 at the bottom', () => {
  const size = { width: '400', height: '100' };
  for (const [angle, from, to] of [
    ['0', [0, 50], [400, 50]],
    ['90', [200, 0], [200, 100]],
    ['180', [400, 50], [0, 50]],
    ['270', [200, 100], [200, 0]],
  ] as const)
    assert.deepEqual(lineOf(drawn({ angle, ...size })), { from, to });
});

test('[images.17] the line has the direction of any angle, and the farthest corners are at its ends', () => {
  const length = fc.integer({ min: 16, max: 4096 });
  fc.assert(
    fc.property(fc.integer({ min: -72_000, max: 72_000 }), length, length, (hundredths, width, height) => {
      const svg = drawn({ angle: String(hundredths / 100), width: `${width}`, height: `${height}` });
      const { from, to } = lineOf(svg);
      const turn = (((hundredths % 36_000) + 36_000) % 36_000) / 36_000;
      const direction: Point = [Math.cos(turn * 2 * Math.PI), Math.sin(turn * 2 * Math.PI)];
      const along = ([x, y]: Point): number => x * direction[0] + y * direction[1];
      const across = ([x, y]: Point): number => y * direction[0] - x * direction[1];
      const corners: Point[] = [
        [0, 0],
        [width, 0],
        [0, height],
        [width, height],
      ];
      const places = corners.map(along);
      near(along(from), Math.min(...places));
      near(along(to), Math.max(...places));
      near(across(from), across([width / 2, height / 2]));
      near(across(to), across([width / 2, height / 2]));
    }),
  );
});

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.001, `${actual} is not ${expected}`);

test('[images.19] -90 is drawn like 270, and 450 like 90', () => {
  assert.equal(drawn({ angle: '-90' }), drawn({ angle: '270' }));
  assert.equal(drawn({ angle: '450' }), drawn({ angle: '90' }));
  assert.equal(drawn({ angle: '-337.7' }), drawn({ angle: '22.3' }));
});

test('[images.20] the gradient fills 200 x 200, or the size given', () => {
  for (const [texts, width, height] of [
    [{}, '200', '200'],
    [{ width: '16', height: '4096' }, '16', '4096'],
  ] as const) {
    const svg = drawn(texts);
    assert.deepEqual(elementOf(svg, 'svg'), {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
    });
    const { id } = elementOf(svg, 'linearGradient');
    assert.deepEqual(elementOf(svg, 'rect'), { width, height, fill: `url(#${id})` });
  }
});

test('an image has one key for all spellings, and different images have different keys', () => {
  const same = [
    { colors: 'red-00f', angle: '90' },
    { colors: 'F00-Blue', angle: '-270.0', width: '200', height: '200' },
    { colors: 'ff0000-0000FF', angle: '810' },
  ].map((texts) => parseLinearGradientParameters(texts));
  assert.equal(new Set(same.map(formatLinearGradientKey)).size, 1);
  assert.equal(new Set(same.map(drawLinearGradient)).size, 1);
  const color = fc.constantFrom('red', 'F00', '000', 'black', 'transparent', 'Brand', '0e5a66');
  const texts = fc.record({
    colors: fc.array(color, { minLength: 2, maxLength: 4 }).map((colors) => colors.join('-')),
    angle: fc.constantFrom('0', '360', '-90', '270', '22.5', '45'),
    width: fc.constantFrom('200', '201'),
    height: fc.constantFrom('200', '201'),
  });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [first, second] = [parseLinearGradientParameters(one), parseLinearGradientParameters(other)];
      const hasOneName = formatLinearGradientKey(first) === formatLinearGradientKey(second);
      assert.equal(drawLinearGradient(first) === drawLinearGradient(second), hasOneName);
    }),
  );
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const [colors, angle, width, height] of [
    ['red-blue', 0, 200, 200],
    ['red-lime-blue', 90, 120, 300],
    ['Brand-BrandBright-Accent-Paper', 22.5, 320, 180],
    ['black-white', 213.7, 640, 48],
    ['red-transparent', 45, 200, 100],
    ['F80-transparent-08F', 135, 160, 160],
    ['transparent-white-transparent-black', 301, 90, 170],
  ] as const) {
    test(`[images.16, images.17] ${colors} at ${angle} looks like linear-gradient() of CSS, and like our raster`, async () => {
      const gradient = parseLinearGradientParameters({
        colors,
        angle: `${angle}`,
        width: `${width}`,
        height: `${height}`,
      });
      const svg = drawLinearGradient(gradient);
      assert.equal(await browser.xmlError(svg), undefined);
      assert.deepEqual(await browser.naturalSize(svg), { width, height });
      const shown = await decodePixels(await browser.screenshot(svg, width, height));
      // CSS counts from the bottom upwards.
      const stops = gradient.colors.map(({ red, green, blue, alpha }) => `rgb(${red} ${green} ${blue} / ${alpha})`);
      const style = `height:${height}px;background:linear-gradient(${angle + 90}deg,${stops.join(',')})`;
      const css = await decodePixels(await browser.screenshot(`<div style="${style}"></div>`, width, height));
      const fromCss = comparePixels(shown, css, 4);
      assert.ok(fromCss.mean < 1.5 && fromCss.farShare < 0.001, JSON.stringify(fromCss));
      const fromOurs = comparePixels(shown, await rasterizeSvg(svg), 6);
      assert.ok(fromOurs.mean < 1.5 && fromOurs.farShare < 0.01, JSON.stringify(fromOurs));
    });
  }

  test('[images.17] the angle decides on which side the first colour is', async () => {
    for (const [angle, x, y] of [
      ['0', 0, 50],
      ['90', 50, 0],
      ['180', 99, 50],
      ['270', 50, 99],
    ] as const) {
      const svg = drawn({ angle, width: '100', height: '100' });
      const shown = await decodePixels(await browser.screenshot(svg, 100, 100));
      const [red, , blue] = premultipliedPixelAt(shown, x, y);
      assert.ok(red > 250 && blue < 5, angle);
      const [otherRed, , otherBlue] = premultipliedPixelAt(shown, 99 - x, 99 - y);
      assert.ok(otherRed < 5 && otherBlue > 250, angle);
    }
  });
});
