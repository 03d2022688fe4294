// Checks the running circle: half a ring, and its rotation by the animation clock of the browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { noBrowser, openBrowser, type Browser } from '../../../../test/support/browser.ts';
import { decodePixels, comparePixels, premultipliedPixelAt, rasterizeSvg } from '../../../../test/support/pixels.ts';
import { elementOf } from '../../../../test/support/svg.ts';
import { parseCircleRunningParameters } from './circle-parameters.ts';
import { formatCircleRunningKey, drawCircleRunning } from './circle-running.ts';

const drawn = (color: string, size: { width?: string; height?: string } = {}): string =>
  drawCircleRunning(parseCircleRunningParameters({ color, ...size }));

test('[images.28] running is one shape of one colour, animated only by CSS', () => {
  const svg = drawn('Running');
  assert.equal(elementOf(svg, 'path')['fill'], '#1f7fc4');
  assert.match(svg, /@keyframes portal-turn\{to\{transform:rotate\(360deg\)\}\}/);
  assert.match(svg, /animation:portal-turn 5s linear infinite/);
  assert.match(svg, /@media \(prefers-reduced-motion:reduce\)\{\.portal-turn\{animation:none\}\}/);
  assert.doesNotMatch(svg, /<animate|<script/);
  assert.equal(elementOf(drawn('transparent'), 'path')['fill'], 'none');
});

test('[images.20] running is 200 x 200, or of the size given', () => {
  assert.equal(elementOf(drawn('red'), 'svg')['viewBox'], '0 0 200 200');
  const svg = drawn('red', { width: '300', height: '101' });
  assert.deepEqual([elementOf(svg, 'svg')['width'], elementOf(svg, 'svg')['height']], ['300', '101']);
  assert.equal(elementOf(svg, 'g')['transform'], 'translate(150 50.5)scale(1.01)');
});

test('a running circle has one key for all spellings', () => {
  const name = (color: string, size = {}): string =>
    formatCircleRunningKey(parseCircleRunningParameters({ color, ...size }));
  assert.equal(name('f00'), name('Red', { width: '200', height: '200' }));
  assert.equal(new Set([name('f00'), name('00f'), name('f00', { width: '16', height: '17' })]).size, 3);
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const [width, height] of [
    [16, 16],
    [64, 64],
    [200, 200],
    [300, 120],
    [512, 512],
  ] as const) {
    test(`[images.27, images.28] without animation, ${width} x ${height} looks like our raster`, async () => {
      const svg = drawn('Brand', { width: `${width}`, height: `${height}` });
      assert.equal(await browser.xmlError(svg), undefined);
      assert.deepEqual(await browser.naturalSize(svg), { width, height });
      const shown = await decodePixels(await browser.screenshot(svg, width, height));
      const { mean, farShare } = comparePixels(shown, await rasterizeSvg(svg), 48);
      assert.ok(mean < (width === 16 ? 6 : 2) && farShare < 0.02, JSON.stringify({ mean, farShare }));
    });
  }

  test('[images.28] it is a semicircle: the ring is above the middle, and not below', async () => {
    const shown = await decodePixels(await browser.screenshot(drawn('000'), 200, 200));
    for (let degrees = 0; degrees < 360; degrees += 5) {
      // Its ends are rounded.
      if (degrees % 180 === 5 || degrees % 180 === 175) continue;
      const angle = (degrees * Math.PI) / 180;
      const alpha = premultipliedPixelAt(shown, 100 + Math.cos(angle) * 82, 100 - Math.sin(angle) * 82)[3];
      assert.equal(alpha, degrees <= 180 ? 255 : 0, `${degrees}`);
    }
  });

  test('[images.28] it rotates clockwise around its middle, once in five seconds and without end', async () => {
    const times = [0, 1250, 2500, 3750];
    const expression = `(() => {
      const [animation, ...others] = document.getAnimations();
      const path = document.querySelector('path');
      const { duration, iterations } = animation.effect.getComputedTiming();
      const places = ${JSON.stringify(times)}.map((time) => {
        animation.pause();
        animation.currentTime = time;
        const { left, top, right, bottom } = path.getBoundingClientRect();
        return [left, top, right, bottom].map(Math.round);
      });
      return { others: others.length, duration, iterations: String(iterations), places };
    })()`;
    assert.deepEqual(await browser.evaluate(expression, drawn('red'), 'no-preference'), {
      others: 0,
      duration: 5000,
      iterations: 'Infinity',
      // The half ring is at the top, on the right, at the bottom, on the left; its ends extend 10 beyond the middle.
      places: [
        [8, 8, 192, 110],
        [90, 8, 192, 192],
        [8, 90, 192, 192],
        [8, 8, 110, 192],
      ],
    });
  });

  test('[images.28] it does not move for users who prefer reduced motion', async () => {
    const expression = `document.getAnimations().length`;
    assert.equal(await browser.evaluate(expression, drawn('red'), 'reduce'), 0);
    assert.equal(await browser.evaluate(expression, drawn('red'), 'no-preference'), 1);
    const svg = drawn('red');
    const first = await browser.screenshot(svg, 200, 200);
    assert.deepEqual(await browser.screenshot(svg, 200, 200), first);
  });
});
