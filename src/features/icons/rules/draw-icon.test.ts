// Checks the drawing of icons: its markup, and comparisons between icons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { boundingBoxOfPath, transformBox, type BoundingBox } from '../../../../test/support/path-bounds.ts';
import { drawIcon } from '../../../../test/support/draw-icon.ts';
import { elementOf, elementsOf } from '../../../../test/support/svg.ts';
import type { IconKid } from '../../../lib/icon-kid.ts';
import { int64Max, int64Min } from '../../../lib/values/int64.ts';
import { icons } from '../assets/icon-catalogue.ts';
import { findDrawing, iconSets, type IconSet } from '../assets/icon-sets.ts';
import type { Box } from './icon-layout.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const names = icons.filter(({ retired }) => retired !== true).map(({ name }) => name);
const hasLabel = (name: string): boolean => findDrawing('line', name)?.drawing.textArea !== undefined;
const labelled = names.filter(hasLabel);
const unlabelled = names.filter((name) => !hasLabel(name));

const kid = (part: Partial<IconKid>): IconKid => ({ icons: ['house'], count: 0n, color: 0, text: '', ...part });

function draw(part: Partial<IconKid>, set: IconSet = 'line', day = 24): string {
  const svg = drawIcon(kid(part), { set, day });
  assert.ok(svg !== undefined, JSON.stringify(part.icons));
  return svg;
}

const sets = fc.constantFrom(...iconSets);
const counts = fc.oneof(
  fc.constantFrom(int64Min, -1n, 0n, 1n, 42n, int64Max),
  fc.bigInt({ min: int64Min, max: int64Max }),
);
const texts = fc.oneof(
  fc.constantFrom('', '12', '1001', 'Æ', 'שלום', '👩‍👩‍👧', 'a\u0301', ' ', '<&>"\''),
  fc
    .array(fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }), { maxLength: 128 })
    .map((all) => all.join('').replaceAll(/\p{Cc}/gu, '')),
);
const kids: fc.Arbitrary<IconKid> = fc.record(
  {
    icons: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
    count: counts,
    color: fc.integer({ min: 0, max: 0xffffff }),
    text: texts,
  },
  { noNullPrototype: true },
);

test('[icons.24] the SVG has a viewBox of 24 by 24, no size of its own and no background', () => {
  for (const set of iconSets) {
    const { viewBox, width, height } = elementOf(draw({}, set), 'svg');
    assert.deepEqual([viewBox, width, height], ['0 0 24 24', undefined, undefined]);
    assert.equal(elementsOf(draw({}, set), 'rect').length, 0);
  }
});

test('for a raster image a size and a background are added, and nothing else changes', () => {
  fc.assert(
    fc.property(kids, sets, (icon, set) => {
      const plain = drawIcon(icon, { set, day: 5 });
      const white = { red: 255, green: 255, blue: 255, alpha: 1 };
      const raster = drawIcon(icon, { set, day: 5, size: 64, background: white });
      assert.equal(
        raster?.replace(' width="64" height="64"', '').replace('<rect width="24" height="24" fill="#ffffff"/>', ''),
        plain,
      );
    }),
  );
});

test('an icon is painted in the colour of its KID', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom(...names), sets, (color, name, set) => {
      const css = `#${color.toString(16).padStart(6, '0')}`;
      const found = findDrawing(set, name)!.set;
      const [{ fill, stroke } = {}] = elementsOf(draw({ icons: [name], color }, set), 'g').filter(
        (each) => each['fill'] !== undefined,
      );
      assert.deepEqual([fill, stroke], found === 'line' ? ['none', css] : [css, undefined]);
    }),
  );
});

test('[icons.12] only the low 24 bits of a colour count', () => {
  for (const high of [0xff000000, 0x01000000, -0x01000000])
    assert.equal(draw({ color: high + 0x12ab0f }), draw({ color: 0x12ab0f }));
});

test('[icons.16] a count of 0 or below shows no badge, down to the smallest there is', () => {
  const without = draw({});
  for (const count of [0n, -1n, -42n, int64Min]) assert.equal(draw({ count }), without);
  assert.ok(!without.includes('#d32f2f'));
  assert.match(without, /<title>house<\/title>/);
});

test('[icons.16] with a positive count the title holds it in full, behind the icons’ names', () => {
  for (const count of [1n, 9_007_199_254_740_993n, int64Max]) {
    assert.ok(draw({ count }).includes(`<title>house (${count})</title>`));
    const both = draw({ icons: ['house', 'wifi_off'], count });
    assert.ok(both.includes(`<title>house, wifi_off (${count})</title>`));
    assert.ok(both.includes('#d32f2f'));
  }
});

test('[icons.18] text changes every drawing with an area for text, and no other drawing', () => {
  for (const set of iconSets) {
    for (const name of unlabelled) assert.equal(draw({ icons: [name], text: '12' }, set), draw({ icons: [name] }, set));
    for (const name of labelled.filter((each) => each !== 'calendar'))
      assert.notEqual(draw({ icons: [name], text: '12' }, set), draw({ icons: [name] }, set), name);
  }
});

test('text belongs to the main icon and does not change an under-icon', () => {
  for (const set of iconSets)
    assert.equal(draw({ icons: ['person', 'house'], text: '12' }, set), draw({ icons: ['person', 'house'] }, set));
});

test('[icons.18] any text is inside its box and does not touch badge and under-icon', () => {
  const besides = fc.constantFrom(undefined, 'wifi_off', 'house', 'sauna');
  fc.assert(
    fc.property(fc.constantFrom(...labelled), besides, kids, sets, (name, under, icon, set) => {
      const svg = draw({ ...icon, icons: under === undefined ? [name] : [name, under] }, set);
      // No part of an icon has a transform of its own, and the badge's digits have a fill.
      const [text] = elementsOf(svg, 'path').filter(
        ({ fill, transform }) => transform !== undefined && fill === undefined,
      );
      if (text === undefined) return;
      const ink = transformBox(boundingBoxOfPath(text['d']!), text['transform']!);
      assertInside(ink, findDrawing(set, name)!.drawing.textArea!.box);

      const [place, underPlace] = placesIn(svg);
      const seen = place === undefined ? ink : transformBox(ink, place);
      if (icon.count > 0n) assert.ok(isBeside(seen, badgeCut(svg)), `${name} ${icon.count}`);
      assert.equal(underPlace === undefined, under === undefined);
      if (underPlace !== undefined) assert.ok(isBeside(seen, transformBox(whole, underPlace)), `${name} ${under}`);
    }),
    { numRuns: 1000 },
  );
});

function assertInside({ left, top, right, bottom }: BoundingBox, [x, y, width, height]: Box): void {
  const slack = 0.02;
  assert.ok(left >= x - slack && right <= x + width + slack, `${left}..${right} in ${x}..${x + width}`);
  assert.ok(top >= y - slack && bottom <= y + height + slack, `${top}..${bottom} in ${y}..${y + height}`);
  assert.ok(right - left > 0.05, 'and is not shrunk to nothing');
}

const whole: BoundingBox = { left: 0, top: 0, right: 24, bottom: 24 };

/** How the main icon and the under-icon, if there is one, are moved and scaled. */
const placesIn = (svg: string): string[] =>
  elementsOf(svg.replaceAll(/<mask.*?<\/mask>/g, ''), 'g').flatMap(({ transform }) => transform ?? []);

/** The box that the badge and its gap cut out of the main icon. */
function badgeCut(svg: string): BoundingBox {
  const [mask = ''] = svg.match(/<mask.*?<\/mask>/) ?? [];
  const [cut] = elementsOf(mask, 'rect').filter(({ fill }) => fill === undefined);
  const [left = NaN, top = NaN, width = NaN, height = NaN] = ['x', 'y', 'width', 'height'].map((key) =>
    Number(cut?.[key]),
  );
  return { left, top, right: left + width, bottom: top + height };
}

const isBeside = (a: BoundingBox, b: BoundingBox): boolean =>
  a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom;

test('[icons.19] a calendar shows the day given, whatever text its KID has, as main icon and under one', () => {
  for (const set of iconSets) {
    const days = Array.from({ length: 31 }, (_, index) => draw({ icons: ['calendar'] }, set, index + 1));
    assert.equal(new Set(days).size, 31);
    for (const text of ['', '7', 'x']) assert.equal(draw({ icons: ['calendar'], text }, set, 12), days[11]);
    // The day is drawn as the same digits are drawn on a house.
    const glyphs = (svg: string): string | undefined =>
      elementsOf(svg, 'path').find(({ d }) => d?.includes('q'))?.['d'];
    assert.equal(glyphs(days[23]!), glyphs(draw({ text: '24' }, set)));
    const under = { icons: ['house', 'calendar'] };
    assert.notEqual(draw(under, set, 1), draw(under, set, 2));
    assert.equal(draw({}, set, 1), draw({}, set, 2), 'and nothing else turns with the day');
  }
});

test('[icons.10] the first two icons of a list are drawn, and an empty list draws none', () => {
  assert.equal(draw({ icons: ['house', 'wifi_off', 'ok', 'error'] }), draw({ icons: ['house', 'wifi_off'] }));
  assert.notEqual(draw({ icons: ['house', 'wifi_off'] }), draw({ icons: ['wifi_off', 'house'] }));
  assert.equal(draw({ icons: [], count: 3n }), draw({ icons: ['none'], count: 3n }));
});

test('[icons.05] main icon and under-icon may come from different sets', () => {
  // Only g has a drawing of sauna, and only line has one of coins.
  const svg = draw({ icons: ['sauna', 'coins'] }, 'line');
  const painted = elementsOf(svg, 'g').filter(({ fill }) => fill !== undefined);
  assert.deepEqual(
    painted.map(({ fill, stroke }) => [fill, stroke]),
    [
      ['#000000', undefined],
      ['none', '#000000'],
    ],
  );
  assert.equal(svg, draw({ icons: ['sauna', 'coins'] }, 'g'));
});

test('[icons.03] an icon that no set has is not drawn, neither as main icon nor under one', () => {
  const retired = icons.filter((icon) => icon.retired === true).map(({ name }) => name);
  for (const name of retired)
    for (const set of iconSets) {
      assert.equal(drawIcon(kid({ icons: [name] }), { set, day: 1 }), undefined);
      assert.equal(drawIcon(kid({ icons: ['house', name] }), { set, day: 1 }), undefined);
    }
});

test('an under-icon is smaller than any main icon, and is at the lower right', () => {
  for (const count of [0n, 1n, 10n, 100n, int64Max]) {
    const [main, under] = placesIn(draw({ icons: ['person', 'ok'], count })).map((place) => transformBox(whole, place));
    assert.ok(main && under);
    assert.ok(Math.abs(under.right - 24) < 0.01 && Math.abs(under.bottom - 24) < 0.01);
    assert.ok(under.right - under.left < main.right - main.left);
    assert.ok(main.left >= 0 && main.top >= 0 && main.right <= 24.01 && main.bottom <= 24.01);
    if (count > 0n) assert.ok(under.top > 11, 'below the badge');
  }
});

test('masks with different shapes have different ids, so that images in one page do not use each other’s masks', () => {
  const shapes = new Map<string, string>();
  fc.assert(
    fc.property(kids, sets, (icon, set) => {
      for (const [, id = '', shape = ''] of draw(icon, set).matchAll(/<mask id="([^"]*)"[^>]*>(.*?)<\/mask>/g)) {
        assert.equal(shapes.get(id) ?? shape, shape);
        shapes.set(id, shape);
      }
    }),
    { numRuns: 500 },
  );
});

test('a drawing contains only shapes, and references only to itself', () => {
  const known = new Set(['svg', 'title', 'g', 'path', 'rect', 'mask']);
  fc.assert(
    fc.property(kids, sets, (icon, set) => {
      const svg = draw(icon, set);
      for (const [, name = ''] of svg.matchAll(/<([a-zA-Z][\w:-]*)/g)) assert.ok(known.has(name), name);
      const ids = elementsOf(svg, 'mask').map(({ id }) => `url(#${id})`);
      const used = elementsOf(svg, 'g').flatMap(({ mask }) => mask ?? []);
      assert.deepEqual(used, ids);
      assert.doesNotMatch(svg, /href|NaN|undefined|Infinity|e-\d/);
    }),
    { numRuns: 500 },
  );
});
