// Where points lie on the drawn map of the console.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, integer, property, record } from 'fast-check';
import { drawingRatio, drawPoints, type PlacedPoint } from '../../console/src/addresses/project-points.ts';

const point = (key: string, latitude: number, longitude: number): PlacedPoint => ({
  key,
  latitude: Math.round(latitude * 1e6),
  longitude: Math.round(longitude * 1e6),
});

test('[console.16] north is up, east is right, and lengths are those of the scale', () => {
  const { spots, scaleMetres, scaleWidth } = drawPoints([
    point('south-west', 55, 10),
    point('north-west', 56, 10),
    point('south-east', 55, 11),
  ]);
  const [southWest, northWest, southEast] = spots;
  assert.ok(southWest !== undefined && northWest !== undefined && southEast !== undefined);
  assert.ok(northWest.y < southWest.y);
  assert.ok(southEast.x > southWest.x);
  assert.ok(Math.abs(northWest.x - southWest.x) < 1e-9);
  // A degree of latitude is some 111 km, one of longitude at 55.5° north some 63 km.
  const metres = (width: number): number => (width / scaleWidth) * scaleMetres;
  assert.ok(Math.abs(metres((southWest.y - northWest.y) / drawingRatio) - 111_300) < 500);
  assert.ok(Math.abs(metres(southEast.x - southWest.x) - 63_050) < 500);
});

test('[console.16] a single point is in the middle, and none is no drawing of numbers that are none', () => {
  const { spots, scaleMetres } = drawPoints([point('only', 64.1, -21.9)]);
  assert.deepEqual(spots, [{ x: 0.5, y: 0.5, keys: ['only'] }]);
  assert.equal(scaleMetres, 100);
  assert.deepEqual(drawPoints([]).spots, []);
});

test('[console.16] points that would cover each other are one spot, in their order', () => {
  const { spots } = drawPoints([point('a', 55, 10), point('far', 57, 12), point('b', 55.001, 10.001)]);
  assert.deepEqual(
    spots.map(({ keys }) => keys),
    [['a', 'b'], ['far']],
  );
});

test('[console.16] points on both sides of the 180th meridian are beside each other', () => {
  const { spots, scaleMetres } = drawPoints([point('west', 0, 179.99), point('east', 0, -179.99)]);
  assert.equal(spots[0]?.keys[0], 'west');
  assert.ok((spots[0]?.x ?? 1) < (spots[1]?.x ?? 0));
  assert.ok(scaleMetres < 2000);
});

test('[console.16] every point is in exactly one spot, and every spot on the drawing', () => {
  const place = record({
    latitude: integer({ min: -85_000_000, max: 85_000_000 }),
    longitude: integer({ min: -180_000_000, max: 180_000_000 }),
  });
  assertProperty(
    property(array(place, { maxLength: 200 }), (places) => {
      const points = places.map((each, at) => ({ ...each, key: String(at) }));
      const { spots, scaleWidth } = drawPoints(points);
      assert.deepEqual(spots.flatMap(({ keys }) => keys).toSorted(), points.map(({ key }) => key).toSorted());
      for (const { x, y } of spots) assert.ok(x > 0 && x < 1 && y > 0 && y < 1, `${x} ${y}`);
      assert.ok(scaleWidth > 0.05 && scaleWidth <= 0.3 + 1e-9, String(scaleWidth));
    }),
  );
});
