// Checks that a thinned line covers the same pixels as all its points, in each column and between breaks.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSinglePoints, thinPoints, type Points } from './points.ts';

/** Points from left to right, some of them breaks. */
const anyPoints = fc
  .array(
    fc.tuple(
      fc.double({ min: 0, max: 1.5, noNaN: true }),
      fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 0, max: 50 }) },
        { weight: 1, arbitrary: fc.constant(Number.NaN) },
      ),
    ),
    { maxLength: 200, size: 'max' },
  )
  .map((steps): Points => {
    let x = 0;
    return { xs: steps.map(([distance]) => (x += distance)), ys: steps.map(([, y]) => y) };
  });

/** The first, last, lowest and highest point of each unbroken stretch in each column of pixels. */
function naiveColumns({ xs, ys }: Points): string[] {
  const columns: { pixel: number; ys: number[] }[] = [];
  let isBroken = true;
  for (const [index, x] of xs.entries()) {
    const y = ys[index] as number;
    if (Number.isNaN(y)) isBroken = true;
    else {
      const last = columns.at(-1);
      if (isBroken || last === undefined || last.pixel !== Math.floor(x))
        columns.push({ pixel: Math.floor(x), ys: [y] });
      else last.ys.push(y);
      isBroken = false;
    }
  }
  return columns.map((each) =>
    [each.pixel, each.ys[0], each.ys.at(-1), Math.min(...each.ys), Math.max(...each.ys)].join(' '),
  );
}

const breaksOf = ({ ys }: Points): string =>
  ys
    .map((y) => (Number.isNaN(y) ? ' ' : 'x'))
    .join('')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/x+/g, 'x');

test('the first, last, lowest and highest point of each column of pixels are kept, and every break', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      const thin = thinPoints(points);
      assert.deepEqual(naiveColumns(thin), naiveColumns(points));
      assert.equal(breaksOf(thin), breaksOf(points));
      const kept = thin.xs.map((x, index) => `${x} ${thin.ys[index]}`);
      const all = points.xs.map((x, index) => `${x} ${points.ys[index]}`);
      // The points are in order, and none is new.
      let from = 0;
      for (const each of kept) {
        from = all.indexOf(each, from) + 1;
        assert.ok(from > 0, each);
      }
      const perColumn = Map.groupBy(naiveColumns(points), (text) => text);
      assert.ok(thin.ys.filter((y) => !Number.isNaN(y)).length <= 4 * [...perColumn.values()].flat().length);
    }),
    { numRuns: 300 },
  );
});

test('a point between two breaks is a single point, once for each pixel', () => {
  const nan = Number.NaN;
  const points = { xs: [0, 1, 2, 3, 4, 5, 5.1, 5.2, 9], ys: [7, nan, 8, 9, nan, 5, nan, 5, nan] };
  assert.deepEqual(findSinglePoints(points), [
    { x: 0, y: 7 },
    { x: 5, y: 5 },
  ]);
  assert.deepEqual(findSinglePoints({ xs: [3], ys: [4] }), [{ x: 3, y: 4 }]);
  assert.deepEqual(findSinglePoints({ xs: [3], ys: [nan] }), []);
});
