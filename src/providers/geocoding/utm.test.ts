// The projection of Danish coordinates, compared with two oracles: recorded results of PROJ, and Snyder's forward
// series.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { utm32ToDegrees } from './utm.ts';

test('the check value of the register’s documentation is projected exactly', () => {
  const { latitude, longitude } = utm32ToDegrees(522_611.35, 6_168_110.08);
  assert.equal(latitude.toFixed(5), '55.65831');
  assert.equal(longitude.toFixed(6), '9.359385');
});

test('the results equal those of PROJ (proj4js 2.20, +proj=utm +zone=32 +ellps=GRS80)', () => {
  const table: [easting: number, northing: number, longitude: number, latitude: number][] = [
    [522_611.35, 6_168_110.08, 9.359384937637017, 55.65831043843921],
    [500_000, 6_200_000, 9, 55.945375002862896],
    [724_000, 6_175_000, 12.562058770214055, 55.6690519007934],
    [880_000, 6_120_000, 14.95609252021755, 55.08078002432599],
    [441_000, 6_300_000, 8.032898931354511, 56.8400668725971],
  ];
  for (const [easting, northing, longitude, latitude] of table) {
    const found = utm32ToDegrees(easting, northing);
    assert.ok(Math.abs(found.longitude - longitude) < 1e-9, `${found.longitude}`);
    assert.ok(Math.abs(found.latitude - latitude) < 1e-9, `${found.latitude}`);
  }
});

/** Snyder 1987, equations 8-9 and 8-10: a different series from Krüger's, exact to millimetres near the meridian. */
function degreesToUtm32(latitude: number, longitude: number): [easting: number, northing: number] {
  const [a, f, k0] = [6_378_137, 1 / 298.257222101, 0.9996];
  const e2 = f * (2 - f);
  const ep2 = e2 / (1 - e2);
  const phi = (latitude * Math.PI) / 180;
  const nu = a / Math.sqrt(1 - e2 * Math.sin(phi) ** 2);
  const t = Math.tan(phi) ** 2;
  const c = ep2 * Math.cos(phi) ** 2;
  const A = (((longitude - 9) * Math.PI) / 180) * Math.cos(phi);
  const M =
    a *
    ((1 - e2 / 4 - (3 * e2 ** 2) / 64 - (5 * e2 ** 3) / 256) * phi -
      ((3 * e2) / 8 + (3 * e2 ** 2) / 32 + (45 * e2 ** 3) / 1024) * Math.sin(2 * phi) +
      ((15 * e2 ** 2) / 256 + (45 * e2 ** 3) / 1024) * Math.sin(4 * phi) -
      ((35 * e2 ** 3) / 3072) * Math.sin(6 * phi));
  const easting =
    k0 * nu * (A + ((1 - t + c) * A ** 3) / 6 + ((5 - 18 * t + t ** 2 + 72 * c - 58 * ep2) * A ** 5) / 120) + 500_000;
  const northing =
    k0 *
    (M +
      nu *
        Math.tan(phi) *
        (A ** 2 / 2 +
          ((5 - t + 9 * c + 4 * c ** 2) * A ** 4) / 24 +
          ((61 - 58 * t + t ** 2 + 600 * c - 330 * ep2) * A ** 6) / 720));
  return [easting, northing];
}

test('a projected point converts back to itself, anywhere in Denmark', () => {
  const latitudes = fc.double({ min: 54.5, max: 57.8, noNaN: true });
  const longitudes = fc.double({ min: 7.9, max: 15.3, noNaN: true });
  fc.assert(
    fc.property(latitudes, longitudes, (latitude, longitude) => {
      const found = utm32ToDegrees(...degreesToUtm32(latitude, longitude));
      // A hundredth of the precision in which coordinates are stored.
      assert.ok(Math.abs(found.latitude - latitude) < 1e-7, `${found.latitude} for ${latitude}`);
      assert.ok(Math.abs(found.longitude - longitude) < 1e-7, `${found.longitude} for ${longitude}`);
    }),
    { numRuns: 1000 },
  );
});
