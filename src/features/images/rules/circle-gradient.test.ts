// Checks the circle gradient: the angle of each sector, and the image against CSS conic-gradient().

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { noBrowser, openBrowser, type Browser } from '../../../../test/support/browser.ts';
import { decodePixels, comparePixels, premultipliedPixelAt, rasterizeSvg } from '../../../../test/support/pixels.ts';
import { parseCssColor, elementOf, elementsOf } from '../../../../test/support/svg.ts';
import { formatCircleGradientKey, drawCircleGradient } from './circle-gradient.ts';
import { parseCircleGradientParameters } from './circle-parameters.ts';

const drawn = (colors: string, size: { width?: string; height?: string } = {}): string =>
  drawCircleGradient(parseCircleGradientParameters({ colors, ...size }));

/** Where a sector begins and ends, in turns clockwise from the bottom. */
function sectorOf(d = ''): { from: number; to: number; reach: number } {
  const numbers = d.match(/-?\d+/g)?.map(Number) ?? [];
  assert.match(d, /^M0 0[ -]\d+[ -]\d+[ -]\d+[ -]\d+z$/);
  const [, , x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = numbers;
  const turn = (x: number, y: number): number => (Math.atan2(-x, y) / (2 * Math.PI) + 1) % 1;
  const [from, to] = [turn(x1, y1), turn(x2, y2)];
  // The middle of the chord is the point of the outer side nearest to the centre.
  return { from, to: to === 0 ? 1 : to, reach: Math.hypot(x1 + x2, y1 + y2) / 2 };
}

test('[images.22] sectors follow one another clockwise from the bottom, once around', () => {
  for (const colors of ['red-blue', 'red-red', 'Brand-BrandDeep', 'red-lime-blue-white', 'red-transparent']) {
    const sectors = elementsOf(drawn(colors), 'path').map(({ d }) => sectorOf(d));
    const isOpaque = !colors.includes('transparent');
    const count = sectors.length + (isOpaque ? 1 : 0);
    assert.ok(count >= 64);
    for (const [index, { from, to }] of sectors.entries()) {
      const at = isOpaque ? index + 1 : index;
      near(from, at / count, 0.0002);
      // An opaque sector extends beneath the next, but the last ends at the bottom.
      near(to, Math.min(at + (isOpaque ? 2 : 1), count) / count, 0.0002);
    }
  }
});

test('[images.22] the sectors extend beyond the corners of any rectangle, around its middle', () => {
  const length = fc.integer({ min: 16, max: 4096 });
  fc.assert(
    fc.property(
      length,
      length,
      fc.constantFrom('red-red', 'red-transparent', 'red-lime-blue'),
      (width, height, colors) => {
        const svg = drawn(colors, { width: `${width}`, height: `${height}` });
        const { transform = '' } = elementOf(svg, 'g');
        const [x, y, scale = 0] =
          /^translate\((\S+) (\S+)\)scale\((\S+)\)$/.exec(transform)?.slice(1).map(Number) ?? [];
        assert.deepEqual([x, y], [width / 2, height / 2]);
        const reach = Math.min(...elementsOf(svg, 'path').map(({ d }) => sectorOf(d).reach));
        assert.ok(reach * scale > Math.hypot(width, height) / 2);
      },
    ),
    { numRuns: 30 },
  );
});

test('[images.22] a sector has the colour of its position, from the first colour to the last', () => {
  const fills = elementsOf(drawn('F00-00F'), 'path').map(({ fill }) => parseCssColor(fill));
  assert.equal(elementOf(drawn('F00-00F'), 'rect')['fill'], '#ff0000');
  assert.deepEqual(fills.at(-1), [0, 0, 255]);
  for (const [index, [red, green, blue]] of fills.entries()) {
    const share = (index + 1) / fills.length;
    near(red, 255 * (1 - share), 0.51);
    assert.equal(green, 0);
    near(blue, 255 * share, 0.51);
  }
});

test('[images.22] neighbouring sectors differ imperceptibly, and the image stays small', () => {
  const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((rgb) => rgb.toString(16).padStart(6, '0'));
  fc.assert(
    fc.property(fc.array(hex, { minLength: 2, maxLength: 4 }), (colors) => {
      const svg = drawn(colors.join('-'));
      const fills = [elementOf(svg, 'rect'), ...elementsOf(svg, 'path')].map(({ fill }) => parseCssColor(fill));
      for (const [index, fill] of fills.slice(1).entries())
        for (const [channel, level] of fill.entries()) near(level, fills[index]?.[channel] ?? NaN, 3);
      assert.ok(svg.length < 20_000);
    }),
    { numRuns: 50 },
  );
});

test('[images.20] the circle gradient is 200 x 200, or of the size given', () => {
  assert.equal(elementOf(drawn('red-blue'), 'svg')['viewBox'], '0 0 200 200');
  const { width, height, viewBox } = elementOf(drawn('red-blue', { width: '16', height: '4096' }), 'svg');
  assert.deepEqual([width, height, viewBox], ['16', '4096', '0 0 16 4096']);
});

test('a circle gradient has one key for all spellings', () => {
  const name = (colors: string, size = {}): string =>
    formatCircleGradientKey(parseCircleGradientParameters({ colors, ...size }));
  assert.equal(name('RED-00f'), name('f00-blue', { width: '200', height: '200' }));
  const others = [
    name('red-00f'),
    name('00f-red'),
    name('red-00f-red'),
    name('red-00f', { width: '16', height: '17' }),
  ];
  assert.equal(new Set(others).size, others.length);
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const [colors, width, height] of [
    ['red-blue', 200, 200],
    ['Brand-BrandBright-Accent-white', 320, 180],
    ['red-lime-blue', 101, 303],
    ['red-transparent', 160, 120],
    ['transparent-Brand-transparent', 151, 151],
    ['black-white', 512, 16],
    ['Online-Online', 64, 64],
  ] as const) {
    test(`[images.22] ${colors} on ${width} x ${height} looks like conic-gradient() of CSS, and like our raster`, async () => {
      const gradient = parseCircleGradientParameters({ colors, width: `${width}`, height: `${height}` });
      const svg = drawCircleGradient(gradient);
      assert.equal(await browser.xmlError(svg), undefined);
      assert.deepEqual(await browser.naturalSize(svg), { width, height });
      const shown = await decodePixels(await browser.screenshot(svg, width, height));
      const stops = gradient.colors.map(({ red, green, blue, alpha }) => `rgb(${red} ${green} ${blue} / ${alpha})`);
      const style = `height:${height}px;background:conic-gradient(from 180deg,${stops.join(',')})`;
      const css = await decodePixels(await browser.screenshot(`<div style="${style}"></div>`, width, height));
      const fromCss = comparePixels(shown, css, 12);
      assert.ok(fromCss.mean < 1.5 && fromCss.farShare < 0.01, JSON.stringify(fromCss));
      const fromOurs = comparePixels(shown, await rasterizeSvg(svg), 12);
      assert.ok(fromOurs.mean < 1.5 && fromOurs.farShare < 0.01, JSON.stringify(fromOurs));
    });
  }

  test('[images.22] an opaque circle gradient fills its rectangle without gaps between sectors', async () => {
    for (const [width, height] of [
      [200, 200],
      [333, 77],
      [31, 401],
    ] as const) {
      const svg = drawn('red-lime-blue', { width: `${width}`, height: `${height}` });
      const shown = await decodePixels(await browser.screenshot(svg, width, height));
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) assert.equal(premultipliedPixelAt(shown, x, y)[3], 255);
    }
  });

  test('[images.22] a transparent circle gradient has no seams: no gaps and no overlaps', async () => {
    const svg = drawn('000-transparent', { width: '256', height: '256' });
    for (const shown of [await decodePixels(await browser.screenshot(svg, 256, 256)), await rasterizeSvg(svg)]) {
      // Alpha decreases evenly along a circle; a seam would differ from its neighbours.
      let last = 255;
      for (let index = 4; index < 996; index++) {
        const angle = (index / 1000) * 2 * Math.PI;
        const alpha = premultipliedPixelAt(shown, 128 - Math.sin(angle) * 100, 128 + Math.cos(angle) * 100)[3];
        near(alpha, last, 4);
        last = alpha;
      }
      assert.ok(last < 6);
    }
  });
});

function near(actual: number, expected: number, within: number): void {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
}
