// Checks the progress circle: the number, size and positions of its marks.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { noBrowser, openBrowser, type Browser } from '../../../../test/support/browser.ts';
import {
  decodePixels,
  comparePixels,
  premultipliedPixelAt,
  rasterizeSvg,
  type Pixels,
} from '../../../../test/support/pixels.ts';
import { parseCssColor, elementOf, elementsOf } from '../../../../test/support/svg.ts';
import { parseCircleProgressParameters, type CircleProgressParameters } from './circle-parameters.ts';
import { formatCircleProgressKey, drawCircleProgress } from './circle-progress.ts';

const drawn = (texts: Partial<CircleProgressParameters>): string =>
  drawCircleProgress(
    parseCircleProgressParameters({ background: 'transparent', colors: 'red-00f', percent: '100', ...texts }),
  );

const marksOf = (texts: Partial<CircleProgressParameters>): Record<string, string>[] =>
  elementsOf(drawn(texts), 'rect');

test('[images.25] progress draws exactly percent marks: 0 draws none, 100 all', () => {
  for (let percent = 0; percent <= 100; percent++) {
    for (const background of ['transparent', 'white'])
      assert.equal(marksOf({ percent: `${percent}`, background }).length, percent);
  }
});

test('[images.25] marks are equal squares, each a hundredth of a turn clockwise from the previous one', () => {
  for (const size of ['16', '64', '200', '4096']) {
    const marks = marksOf({ width: size, height: size });
    const alike = new Set(marks.map(({ x, y, width, height }) => [x, y, width, height].join()));
    assert.equal(alike.size, 1);
    const { x, y, width, height } = marks[0] ?? {};
    assert.equal(width, height);
    // Before the rotation a mark is centred at the top, inside the edge.
    near(Number(x) * -2, Number(width), 0.002);
    assert.ok(Number(y) > Number(size) / -2 && Number(y) < Number(size) / -2.3);
    const turns = marks.map(({ transform }) => Number(/^rotate\((\S+)\)$/.exec(transform ?? '')?.[1]));
    for (const [place, degrees] of turns.entries()) near(degrees, 1.8 + place * 3.6, 1e-9);
  }
});

test('[images.26] a mark has the colour of its position from 0 to 100, whatever percent is', () => {
  const fills = (percent: number, colors: string): (string | undefined)[] =>
    marksOf({ percent: `${percent}`, colors }).map(({ fill }) => fill);
  const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((rgb) => rgb.toString(16).padStart(6, '0'));
  fc.assert(
    fc.property(fc.array(hex, { minLength: 2, maxLength: 4 }), fc.nat(100), (colors, percent) => {
      const all = fills(100, colors.join('-'));
      assert.deepEqual(fills(percent, colors.join('-')), all.slice(0, percent));
      assert.deepEqual([all[0], all[99]], [`#${colors[0]}`, `#${colors.at(-1)}`]);
    }),
    { numRuns: 40 },
  );
});

test('[images.26] colours are interpolated evenly over the 100 positions', () => {
  for (const [place, { fill }] of marksOf({ colors: 'f00-00f' }).entries()) {
    const [red, green, blue] = parseCssColor(fill);
    near(red, 255 - (255 * place) / 99, 0.5);
    assert.equal(green, 0);
    near(blue, (255 * place) / 99, 0.5);
  }
  const three = marksOf({ colors: 'f00-0f0-00f' });
  for (const [place, { fill }] of three.entries()) {
    const [red, green, blue] = parseCssColor(fill);
    near(red, Math.max(0, 255 - (510 * place) / 99), 0.5);
    near(green, 255 - Math.abs(255 - (510 * place) / 99), 0.5);
    near(blue, Math.max(0, (510 * place) / 99 - 255), 0.5);
  }
  const fading = marksOf({ colors: 'f00-transparent' });
  for (const [place, { fill, 'fill-opacity': opacity = fill === 'none' ? 0 : 1 }] of fading.entries())
    near(Number(opacity), 1 - place / 99, 0.001);
});

test('[images.20] progress is 200 x 200 or of the given size, with its ring in the middle', () => {
  assert.equal(elementOf(drawn({}), 'svg')['viewBox'], '0 0 200 200');
  const svg = drawn({ width: '300', height: '101' });
  assert.deepEqual([elementOf(svg, 'svg')['width'], elementOf(svg, 'svg')['height']], ['300', '101']);
  assert.equal(elementOf(svg, 'g')['transform'], 'translate(150 50.5)');
});

test('a progress circle has one key for all spellings', () => {
  const name = (texts: Partial<CircleProgressParameters>): string =>
    formatCircleProgressKey(
      parseCircleProgressParameters({ background: 'white', colors: 'red-00f', percent: '5', ...texts }),
    );
  assert.equal(name({ background: 'FFF', colors: 'F00-blue' }), name({ width: '200', height: '200' }));
  const others = [
    {},
    { background: 'transparent' },
    { colors: '00f-red' },
    { percent: '6' },
    { width: '201', height: '200' },
  ].map(name);
  assert.equal(new Set(others).size, others.length);
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  const shownOf = async (svg: string, width: number, height: number): Promise<Pixels> => {
    assert.equal(await browser.xmlError(svg), undefined);
    assert.deepEqual(await browser.naturalSize(svg), { width, height });
    return decodePixels(await browser.screenshot(svg, width, height));
  };

  for (const [background, colors, percent, width, height] of [
    ['transparent', 'Online-Warning-OutOfOrder', 72, 200, 200],
    ['BrandDeep', 'BrandBright-white', 100, 512, 512],
    ['white', 'red-transparent', 50, 300, 120],
    ['transparent', 'red-blue', 33, 64, 64],
    ['Paper', 'red-blue', 0, 32, 32],
    ['black', 'lime-white', 99, 16, 16],
  ] as const) {
    test(`[images.25] ${percent} % of ${colors} on ${width} x ${height} is shown as our raster has it`, async () => {
      const size = { width: `${width}`, height: `${height}` };
      const svg = drawn({ background, colors, percent: `${percent}`, ...size });
      const { mean, farShare } = comparePixels(await shownOf(svg, width, height), await rasterizeSvg(svg), 48);
      assert.ok(mean < 3 && farShare < 0.02, JSON.stringify({ mean, farShare }));
    });
  }

  test('[images.25] marks are clockwise from the top, and nowhere else', async () => {
    const shown = await shownOf(drawn({ percent: '25', colors: '000-000', width: '400', height: '400' }), 400, 400);
    const alphaAt = (turn: number, radius: number): number =>
      premultipliedPixelAt(
        shown,
        200 + Math.sin(turn * 2 * Math.PI) * radius,
        200 - Math.cos(turn * 2 * Math.PI) * radius,
      )[3];
    // The marks extend inwards from 0.47 of the size of the image.
    for (let place = 0; place < 100; place++) {
      assert.equal(alphaAt((place + 0.5) / 100, 400 * 0.46), place < 25 ? 255 : 0, `${place}`);
      assert.equal(alphaAt(place / 100, 400 * 0.46), 0, `between ${place - 1} and ${place}`);
      assert.equal(alphaAt((place + 0.5) / 100, 400 * 0.4), 0);
    }
  });

  test('[images.25] the background is painted over the whole image', async () => {
    const shown = await shownOf(drawn({ percent: '0', background: 'f80', width: '60', height: '40' }), 60, 40);
    for (let y = 0; y < 40; y++)
      for (let x = 0; x < 60; x++) assert.deepEqual(premultipliedPixelAt(shown, x, y), [255, 136, 0, 255]);
  });
});

function near(actual: number, expected: number, within: number): void {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
}
