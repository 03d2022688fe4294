// Checks the icon KIDs of banks and locations, and the default icons.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIconKid } from '../../../lib/icon-kid.ts';
import { icons, isIcon } from '../../icons/assets/icon-catalogue.ts';
import { bankIconKid, locationIconKid } from './place-icons.ts';

const invalid = [
  null,
  '',
  ' ',
  'lighthouse',
  'House',
  'house ',
  'house~tMQ',
  'washer~wifi_off',
  '~n5',
  '__proto__',
  '1',
];

test('[places.06] a bank without a known icon has a bank building, a location a house', () => {
  for (const icon of invalid) {
    assert.equal(bankIconKid(icon, 24), 'bank_building', String(icon));
    assert.equal(locationIconKid(icon, 12, 24), 'house~tMTI', String(icon));
  }
  for (const { name } of icons) {
    const kid = name === 'calendar' ? 'calendar~tMjQ' : name;
    assert.equal(bankIconKid(name, 24), kid);
    assert.equal(locationIconKid(name, 12, 24), name === 'house' ? 'house~tMTI' : kid);
  }
});

test('[places.06] a house shows the id of its location, whether it is stored or the default', () => {
  fc.assert(
    fc.property(fc.constantFrom('house', ...invalid), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (icon, locationId) => {
      const drawn = parseIconKid(locationIconKid(icon, locationId, 24), isIcon);
      assert.deepEqual(drawn, { icons: ['house'], count: 0n, color: 0, text: String(locationId) });
    }),
  );
});
