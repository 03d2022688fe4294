// Checks which icons of services can be chosen, and which are only shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { icons } from '../../icons/assets/icon-catalogue.ts';
import { isSelectableIcon, listAvailableIcons, showIcon } from './service-icons.ts';

const selectableIcons = listAvailableIcons('mail');

test('[services.13] all icons with a positive number can be chosen, except those that no set has any more', () => {
  const [none, ...others] = icons;
  assert.equal(none?.name, 'none');
  assert.deepEqual(
    selectableIcons,
    others.filter(({ retired }) => retired !== true).map(({ name }) => name),
  );
  assert.ok(selectableIcons.length > 100);
});

test('[services.13, services.14] a present icon that cannot be chosen any more is shown after the others', () => {
  for (const legacy of ['coin_box', 'fax_machine']) {
    assert.deepEqual(listAvailableIcons(legacy), [...selectableIcons, legacy]);
    assert.ok(!isSelectableIcon(legacy));
  }
});

test('[services.13] none, and texts that cannot be the name of an icon, are not offered', () => {
  for (const unsafe of ['none', '', '<svg>', '../mail', 'Mail', 'a'.repeat(65), 'mail~n5', 'mail\n'])
    assert.deepEqual(listAvailableIcons(unsafe), selectableIcons, unsafe);
});

test('[services.15] an icon is shown with its KID and its name', () => {
  assert.deepEqual(showIcon('mail', 15), { iconKid: 'mail', iconName: 'mail' });
  assert.deepEqual(showIcon('calendar', 15), { iconKid: 'calendar~tMTU', iconName: 'calendar' });
  assert.deepEqual(showIcon('coin_box', 15), { iconKid: 'coin_box', iconName: 'coin_box' });
  assert.deepEqual(showIcon('fax_machine', 15), { iconKid: 'none', iconName: 'fax_machine' });
  assert.deepEqual(showIcon('<svg>', 15), { iconKid: 'none', iconName: 'none' });
});
