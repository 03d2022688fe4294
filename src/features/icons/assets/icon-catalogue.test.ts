// Checks the catalogue of icons: permanent names, and numbers that follow from the order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIconKid, parseIconKid } from '../../../lib/icon-kid.ts';
import { unitTypeCode, unitTypeIconOf, unitTypes } from '../../places/rules/unit-types.ts';
import { findIconName, icons, listIconNames, isIcon } from './icon-catalogue.ts';

const names = icons.map(({ name }) => name);

test('icons of the catalogue never move, so these numbers are permanent', () => {
  const given = {
    none: 0,
    house: 1,
    bank_building: 2,
    washer: 7,
    payment_terminal: 22,
    person: 47,
    wifi_off: 82,
    calendar: 95,
  };
  for (const [name, number] of Object.entries(given)) assert.equal(names.indexOf(name), number, name);
});

test('names are in snake case and unique', () => {
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z]+(?:_[a-z]+)*$/);
});

test('there is an icon for every unit type, and for every fallback of the service', () => {
  const ofTypes = unitTypes.map((type) => unitTypeIconOf(unitTypeCode(type)));
  for (const name of [...ofTypes, 'none', 'house', 'bank_building', 'question', 'calendar', 'person', 'wifi_off'])
    assert.ok(isIcon(name), name);
});

test('at least a dozen person icons can be chosen', () => {
  const persons = listIconNames('persons');
  assert.ok(persons.length >= 12);
  assert.ok(persons.includes('person'));
});

test('a retired icon keeps its number and cannot be chosen', () => {
  const retired = icons.filter((icon) => icon.retired === true);
  assert.ok(retired.length > 0);
  for (const { name, category } of retired) {
    assert.ok(isIcon(name));
    assert.ok(!listIconNames(category).includes(name));
  }
});

test('no name is parsed as the count, colour or text of a KID, in any position', () => {
  for (const name of names) {
    const icon = { icons: ['house', name, name], count: 1n, color: 1, text: 'x' };
    const spelling = formatIconKid(icon);
    assert.ok(spelling !== undefined, name);
    assert.deepEqual(parseIconKid(spelling, isIcon), icon);
  }
});

test('[icons.06] a name is found in upper and lower case, but only if it is complete', () => {
  for (const name of names) {
    assert.equal(findIconName(name), name);
    assert.equal(findIconName(name.toUpperCase()), name);
  }
  const others = ['', 'hous', 'ouse', 'houses', ' house', 'house ', 'house\n', 'ban\u212a_building', '0', '1', '-1'];
  for (const text of [...others, 'constructor', '__proto__', 'hoUse.', 'wifi-off'])
    assert.equal(findIconName(text), undefined);
});
