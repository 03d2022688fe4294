// Checks the badge in its markup and in its pixels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { boundingBoxOfPath, transformBox } from '../../../../test/support/path-bounds.ts';
import { rasterizeSvg, type Pixels } from '../../../../test/support/pixels.ts';
import { elementOf } from '../../../../test/support/svg.ts';
import { int64Max } from '../../../lib/values/int64.ts';
import { formatDocument, element } from '../../../lib/pages/svg.ts';
import { drawBadge, badgeBox } from './badge.ts';

/** 1, 12, 123, ... up to the 19 digits that a signed 64-bit integer can have. */
const byDigits = Array.from({ length: 19 }, (_, index) => BigInt('1234567890123456789'.slice(0, index + 1)));
const positive = fc.oneof(fc.constantFrom(...byDigits, 1n, int64Max), fc.bigInt({ min: 1n, max: int64Max }));

test('[icons.17] the capsule widens with every digit, and keeps its height and its right edge', () => {
  const capsules = byDigits.map(badgeBox);
  for (const [x, y, width, height] of capsules) {
    assert.equal(height, 11);
    assert.equal(y, 0);
    assert.ok(Math.abs(x + width - 24) < 1e-9);
    assert.ok(x >= 0);
  }
  const widths = capsules.map(([, , width]) => width);
  for (const [index, width] of widths.entries())
    if (index > 0) assert.ok(width > widths[index - 1]!, `${index + 1} digits`);
  assert.equal(widths[0], 11, 'one digit stands in a circle');
  assert.equal(widths[18], 24);
});

test('[icons.17] the digits are inside the capsule, whatever the count', () => {
  fc.assert(
    fc.property(positive, (count) => {
      const { markup } = drawBadge(count);
      const [x, y, width, height] = badgeBox(count);
      const rect = elementOf(markup, 'rect');
      assert.deepEqual([rect['x'], rect['y'], rect['width'], rect['height']].map(Number), [x, y, width, height]);
      assert.equal(Number(rect['rx']), height / 2);
      assert.equal(rect['fill'], '#d32f2f');

      const { d = '', transform = '', fill } = elementOf(markup, 'path');
      assert.equal(fill, '#fff');
      const ink = transformBox(boundingBoxOfPath(d), transform);
      const corners = [ink.left, ink.right].flatMap((cx) => [ink.top, ink.bottom].map((cy) => [cx, cy] as const));
      const radius = height / 2;
      for (const [cx, cy] of corners) {
        const nearest = Math.min(Math.max(cx, x + radius), x + width - radius);
        assert.ok(Math.hypot(cx - nearest, cy - radius) < radius, `${count} leaves its capsule`);
      }
      assert.ok(Math.abs(ink.left - x - (x + width - ink.right)) < 0.01, 'in the middle');
    }),
    { numRuns: 500 },
  );
});

test('[icons.17] every digit of the largest count is separate from its neighbours in the image', async () => {
  for (const count of [7n, 42n, 1_000_000n, int64Max]) {
    const svg = formatDocument(element('svg', { viewBox: '0 0 24 24', width: 960, height: 960 }, drawBadge(count)));
    assert.equal(inkedRuns(await rasterizeSvg(svg)), `${count}`.length);
  }
});

/** The number of groups of neighbouring columns with white pixels. */
function inkedRuns({ data, width, height }: Pixels): number {
  const isInked = Array.from({ length: width }, (_, x) => {
    for (let y = 0; y < height; y++)
      if (data[(y * width + x) * 4 + 1]! > 200 && data[(y * width + x) * 4 + 3]! > 200) return true;
    return false;
  });
  return isInked.filter((inked, x) => inked && isInked[x - 1] !== true).length;
}
