// Checks every icon as an image: XML parsers and renderers accept it, and its parts are distinguishable.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { noBrowser, openBrowser, type Browser } from '../../../../test/support/browser.ts';
import { drawIcon } from '../../../../test/support/draw-icon.ts';
import { decodePixels, comparePixels, rasterizeSvg, type Pixels } from '../../../../test/support/pixels.ts';
import type { IconKid } from '../../../lib/icon-kid.ts';
import { int64Max } from '../../../lib/values/int64.ts';
import { iconSets, listIconsOfSet, type IconSet } from '../assets/icon-sets.ts';

const side = 96;
const unit = side / 24;

function draw(part: Partial<IconKid>, set: IconSet): string {
  const icon = { icons: ['house'], count: 0n, color: 0, text: '', ...part };
  return drawIcon(icon, { set, day: 31, size: side }) ?? assert.fail('no set has it');
}

const alphaAt = ({ data, width }: Pixels, x: number, y: number): number =>
  data[(Math.floor(y * unit) * width + Math.floor(x * unit)) * 4 + 3]!;

function inked({ data }: Pixels): number {
  let count = 0;
  for (let index = 3; index < data.length; index += 4) if (data[index]! > 127) count += 1;
  return count / (data.length / 4);
}

test('every icon of both sets has painted and transparent pixels', async () => {
  for (const set of iconSets)
    for (const name of listIconsOfSet(set)) {
      const share = inked(await rasterizeSvg(draw({ icons: [name] }, set)));
      assert.ok(share > 0.05 && share < 0.75, `${set} ${name} covers ${share}`);
    }
});

test('no icon extends beyond its 24 by 24, where it would be cut off', async () => {
  for (const set of iconSets)
    for (const name of listIconsOfSet(set)) {
      const wider = draw({ icons: [name] }, set).replace('viewBox="0 0 24 24"', 'viewBox="-2 -2 28 28"');
      const { data, width } = await rasterizeSvg(wider);
      const margin = Math.floor((2 / 28) * width);
      for (let y = 0; y < width; y++)
        for (let x = 0; x < width; x++) {
          const isOutside = Math.min(x, y, width - 1 - x, width - 1 - y) < margin;
          assert.ok(!isOutside || data[(y * width + x) * 4 + 3]! < 32, `${set} ${name}`);
        }
    }
});

test('an icon looks different in the two sets', async () => {
  const [first, second] = iconSets.map((set) => listIconsOfSet(set));
  for (const name of first!.filter((each) => second!.includes(each))) {
    const [a, b] = await Promise.all(iconSets.map((set) => rasterizeSvg(draw({ icons: [name] }, set))));
    assert.ok(!a!.data.equals(b!.data), name);
  }
});

test('the main icon is cut out around the badge, so that the background is visible', async () => {
  // The icon is completely filled, so that every transparent pixel in it was cut out.
  const pixels = await rasterizeSvg(draw({ icons: ['folder'], count: 5n }, 'g'));
  for (let degrees = 110; degrees <= 140; degrees += 5) {
    const along = (distance: number): number => alphaAt(pixels, ...around(18.5, 5.5, distance, degrees));
    assert.ok(along(6.1) === 0, `clear at ${degrees} degrees`);
    assert.ok(along(7.2) === 255, `and filled again at ${degrees} degrees`);
  }
});

test('the main icon is cut out along the outline of the under-icon', async () => {
  const pixels = await rasterizeSvg(draw({ icons: ['credit_card', 'info'] }, 'g'));
  const [middle, radius] = [24 - 5.8, (10 / 24) * 11.6];
  for (let degrees = 190; degrees < 260; degrees += 5) {
    const along = (distance: number): number => alphaAt(pixels, ...around(middle, middle, radius + distance, degrees));
    assert.ok(along(-0.4) === 255, `the circle of the under-icon at ${degrees} degrees`);
    assert.ok(along(0.6) === 0, `clear at ${degrees} degrees`);
    if (degrees > 235) assert.ok(along(1.6) === 255, `and filled again at ${degrees} degrees`);
  }
});

test('a badge hides little of any icon, and an under-icon only a little more', async () => {
  for (const set of iconSets)
    for (const name of listIconsOfSet(set)) {
      // The day is also cut out of a calendar.
      if (name === 'calendar') continue;
      for (const count of [1n, 12n, 128n]) {
        const hidden = await hiddenOf(draw({ icons: [name], count }, set));
        assert.ok(hidden < 0.16, `${count} hides ${hidden} of ${set} ${name}`);
        const withBoth = await hiddenOf(draw({ icons: [name, 'ok'], count }, set));
        assert.ok(withBoth < 0.08, `${count} and an under-icon hide ${withBoth} of ${set} ${name}`);
      }
      const hidden = await hiddenOf(draw({ icons: [name, 'ok'] }, set));
      assert.ok(hidden < 0.3, `an under-icon hides ${hidden} of ${set} ${name}`);
    }
});

/** The share of the main icon that its mask removes. */
async function hiddenOf(svg: string): Promise<number> {
  const [, head = '', mask = '', masked = '', main = ''] =
    /^(<svg[^>]*>).*?(<mask.*?<\/mask>)(<g mask="[^"]*">(<g transform.*?<\/g><\/g>)<\/g>)/.exec(svg) ?? [];
  const [shown, all] = [`${mask}${masked}`, main].map((drawing) => rasterizeSvg(`${head}${drawing}</svg>`));
  return 1 - inked((await shown) ?? assert.fail()) / inked((await all) ?? assert.fail());
}

/** Degrees clockwise from the right. */
function around(x: number, y: number, distance: number, degrees: number): [x: number, y: number] {
  const radians = (degrees * Math.PI) / 180;
  return [x + distance * Math.cos(radians), y + distance * Math.sin(radians)];
}

test('text is cut out of areas, and drawn between strokes', async () => {
  const plain = await Promise.all(iconSets.map((set) => rasterizeSvg(draw({ icons: ['building'], text: '' }, set))));
  const marked = await Promise.all(iconSets.map((set) => rasterizeSvg(draw({ icons: ['building'], text: 'M' }, set))));
  assert.ok(plain.every((pixels, index) => !pixels.data.equals(marked[index]!.data)));
  // The left stem of an M that is as high as the box is left of its middle.
  const isInked = (pixels: Pixels): boolean[] =>
    Array.from({ length: 96 }, (_, index) => alphaAt(pixels, index / 4, 9.7) > 127);
  const runs = marked.map(
    (pixels) => isInked(pixels).filter((on, index, all) => on !== (all[index - 1] ?? false)).length,
  );
  assert.deepEqual(iconSets, ['g', 'line']);
  assert.ok(runs[0]! >= 4 && runs[1]! >= 6, `${runs.join(', ')} edges along a line through the letter`);
});

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  test('every icon of both sets is well-formed, with badge, under-icon and text', async () => {
    const full = { count: int64Max, text: '<&"\'>😀', color: 0x1565c0 };
    const images = iconSets.flatMap((set) =>
      listIconsOfSet(set).flatMap((name) => [
        draw({ icons: [name] }, set),
        draw({ icons: [name, name], ...full }, set),
      ]),
    );
    assert.equal(await browser.xmlError(`<all>${images.join('')}</all>`), undefined);
  });

  test('a browser draws the same image as our rasteriser', async () => {
    for (const set of iconSets) {
      const svg = draw({ icons: ['house', 'wifi_off'], count: 42n, text: '12', color: 0x2e7d32 }, set);
      const { mean, farShare } = comparePixels(
        await rasterizeSvg(svg),
        await decodePixels(await browser.screenshot(svg, side, side)),
        96,
      );
      assert.ok(mean < 6 && farShare < 0.01, `${set}: ${mean} of 255 on average, ${farShare} of the pixels far apart`);
    }
  });
});
