// Checks the logos: their boxes by arithmetic, and their appearance in a browser.

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
import { elementOf, elementsOf } from '../../../../test/support/svg.ts';
import { drawLogo, formatLogoKey, parseLogoParameters, type LogoForm, type LogoParameters } from './logo.ts';

const ratios = [
  ['brand', 1, 1],
  ['brand-text', 590, 111],
  ['brand-logo-text', 5, 1],
] as const;

const drawn = (form: LogoForm, texts: Partial<LogoParameters> = {}): string =>
  drawLogo(parseLogoParameters(form, { color: 'Brand', ...texts }));

const boxOf = (svg: string): [x: number, y: number, width: number, height: number] => {
  const [x, y, width, height] = (elementOf(svg, 'svg')['viewBox'] ?? '').split(' ').map(Number);
  return [x ?? NaN, y ?? NaN, width ?? NaN, height ?? NaN];
};

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= expected * 1e-12, `${actual} is not ${expected}`);

test('[images.10] the symbol is 1:1, the name alone 590:111, symbol and name 5:1', () => {
  for (const [form, width, height] of ratios) {
    for (const texts of [{}, { width: '100' }, { width: '100', background: 'white' }]) {
      const [, , boxWidth, boxHeight] = boxOf(drawn(form, texts));
      near(boxWidth * height, boxHeight * width);
    }
  }
});

test('[images.11] without a width a logo has no size, and is centred and complete in its container', () => {
  for (const [form] of ratios) {
    const { width, height, preserveAspectRatio } = elementOf(drawn(form), 'svg');
    assert.deepEqual([width, height, preserveAspectRatio], [undefined, undefined, 'xMidYMid meet']);
  }
});

test('[images.12] with a width the height follows from the proportions, and can be a fraction', () => {
  assert.equal(elementOf(drawn('brand-text', { width: '100' }), 'svg')['height'], String((100 * 111) / 590));
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 4096 }), fc.constantFrom(...ratios), (pixels, [form, width, height]) => {
      const svg = elementOf(drawn(form, { width: `${pixels}` }), 'svg');
      assert.equal(svg['width'], String(pixels));
      near(Number(svg['height']) * width, pixels * height);
    }),
  );
});

test('[images.13] the background is transparent by default, and otherwise fills the whole box', () => {
  for (const [form] of ratios) {
    for (const texts of [{}, { width: '64' }, { width: '64', background: 'transparent' }])
      assert.deepEqual(elementsOf(drawn(form, texts), 'rect'), []);
    const svg = drawn(form, { width: '64', background: 'fc8' });
    const { x, y, width, height, fill } = elementOf(svg, 'rect');
    assert.deepEqual([x, y, width, height].map(Number), boxOf(svg));
    assert.equal(fill, '#ffcc88');
  }
  assert.equal(drawn('brand', { width: '64', background: 'transparent' }), drawn('brand', { width: '64' }));
});

test('a logo consists of paths of one colour, without text that needs a font', () => {
  for (const [form] of ratios) {
    const svg = drawn(form, { color: '123456', width: '64' });
    assert.deepEqual(new Set(svg.match(/#[0-9a-f]{6}/g)), new Set(['#123456']));
    assert.deepEqual(new Set(svg.match(/<\w+/g)), new Set(['<svg', '<g', '<path']));
    assert.match(drawn(form, { color: 'transparent' }), / fill="none"/);
  }
});

test('a logo has one key for all spellings, and different logos have different keys', () => {
  const names = new Map<string, string>();
  for (const [form] of ratios) {
    for (const color of ['red', 'F00', 'ff0000', 'blue', 'transparent']) {
      for (const texts of [{}, { width: '64' }, { width: '65' }, { width: '64', background: 'White' }]) {
        const logo = parseLogoParameters(form, { color, ...texts });
        const known = names.get(formatLogoKey(logo)) ?? drawLogo(logo);
        assert.equal(drawLogo(logo), known);
        names.set(formatLogoKey(logo), known);
      }
    }
  }
  assert.equal(names.size, 3 * 3 * 4);
  assert.equal(new Set(names.values()).size, names.size);
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const [form, ratioWidth, ratioHeight] of ratios) {
    for (const pixels of [16, 64, 512]) {
      for (const background of [undefined, 'BrandDeep']) {
        const place = background === undefined ? '' : ` on ${background}`;
        test(`[images.10, images.12] ${form} of width ${pixels}${place} is shown as our raster has it`, async () => {
          const svg = drawn(form, { color: 'Accent', width: `${pixels}`, ...(background && { background }) });
          assert.equal(await browser.xmlError(svg), undefined);
          const ours = await rasterizeSvg(svg);
          const shown = await decodePixels(await browser.screenshot(svg, ours.width, ours.height));
          assert.equal(ours.width, pixels);
          assert.ok(Math.abs(ours.height - (pixels * ratioHeight) / ratioWidth) < 1);
          const { mean, farShare } = comparePixels(shown, ours, 64);
          // In so small an image nearly every pixel is an edge, and each renderer smooths edges differently.
          assert.ok(mean < (pixels === 16 ? 12 : 6) && farShare < 0.02, JSON.stringify({ mean, farShare }));
        });
      }
    }
  }

  test('[images.11] a logo is centred and complete in a container of another shape', async () => {
    const shown = await decodePixels(await browser.screenshot(drawn('brand', { color: '000' }), 300, 100));
    assert.deepEqual(inkOf(shown), { left: 100, right: 199, top: 0, bottom: 99 });
    const tall = await decodePixels(await browser.screenshot(drawn('brand', { color: '000' }), 100, 300));
    assert.deepEqual(inkOf(tall), { left: 0, right: 99, top: 100, bottom: 199 });
  });

  test('[images.13] a background fills every corner; without one the corners are transparent', async () => {
    for (const [form, width, height] of [
      ['brand', 64, 64],
      ['brand-text', 590, 111],
      ['brand-logo-text', 200, 40],
    ] as const) {
      const svg = drawn(form, { color: 'white', width: `${width}`, background: 'red' });
      const shown = await decodePixels(await browser.screenshot(svg, width, height));
      for (const x of [0, width - 1])
        for (const y of [0, height - 1])
          assert.deepEqual(premultipliedPixelAt(shown, x, y), [255, 0, 0, 255], `${form} ${x} ${y}`);
    }
    const plain = await decodePixels(await browser.screenshot(drawn('brand', { width: '64' }), 64, 64));
    assert.deepEqual(
      [
        premultipliedPixelAt(plain, 0, 0)[3],
        premultipliedPixelAt(plain, 63, 0)[3],
        premultipliedPixelAt(plain, 32, 24)[3],
      ],
      [0, 0, 0],
    );
  });
});

/** The outermost rows and columns with painted pixels. */
function inkOf({ data, width, height }: Pixels): { left: number; right: number; top: number; bottom: number } {
  const inked: [number, number][] = [];
  for (let index = 0; index < width * height; index++)
    if ((data[index * 4 + 3] ?? 0) > 127) inked.push([index % width, Math.floor(index / width)]);
  const [xs, ys] = [inked.map(([x]) => x), inked.map(([, y]) => y)];
  return {
    left: xs.reduce((a, b) => Math.min(a, b)),
    right: xs.reduce((a, b) => Math.max(a, b)),
    top: ys.reduce((a, b) => Math.min(a, b)),
    bottom: ys.reduce((a, b) => Math.max(a, b)),
  };
}
