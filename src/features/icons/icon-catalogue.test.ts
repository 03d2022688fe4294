// The catalogue of icons: names that last, numbers that follow from their places.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIconKid, parseIconKid } from '../../lib/icon-kid.ts';
import { unitTypeCode, unitTypeIconOf, unitTypes } from '../places/rules/unit-types.ts';
import { findIconName, findIconNumber, icons, listIconNames, isIcon } from './icon-catalogue.ts';

const names = icons.map(({ name }) => name);

test('an icon is numbered by its place, and none is 0', () => {
  assert.equal(findIconNumber('none'), 0);
  assert.deepEqual(
    names.map((name) => findIconNumber(name)),
    [...names.keys()],
  );
  assert.equal(findIconNumber('unknown'), undefined);
});

test('icons of one list never move: these numbers are given for good', () => {
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
  for (const [name, number] of Object.entries(given)) assert.equal(findIconNumber(name), number, name);
});

test('names are snake case and each stands once', () => {
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z]+(?:_[a-z]+)*$/);
});

test('there is an icon of every unit type, and of what the service falls back to', () => {
  const ofTypes = unitTypes.map((type) => unitTypeIconOf(unitTypeCode(type)));
  for (const name of [...ofTypes, 'none', 'house', 'bank_building', 'question', 'calendar', 'person', 'wifi_off'])
    assert.ok(isIcon(name), name);
});

test('there are at least a dozen persons to choose from', () => {
  const persons = listIconNames('persons');
  assert.ok(persons.length >= 12);
  assert.ok(persons.includes('person'));
});

test('what is retired keeps its number, and is not to be chosen', () => {
  const retired = icons.filter((icon) => icon.retired === true);
  assert.ok(retired.length > 0);
  for (const { name, category } of retired) {
    assert.ok(isIcon(name));
    assert.ok(!listIconNames(category).includes(name));
  }
});

test('no name reads as the count, colour or text of a KID, wherever it stands', () => {
  for (const name of names) {
    const icon = { icons: ['house', name, name], count: 1n, color: 1, text: 'x' };
    const spelling = formatIconKid(icon);
    assert.ok(spelling !== undefined, name);
    assert.deepEqual(parseIconKid(spelling, isIcon), icon);
  }
});

test('[icons.06] a name is known in any case, and by nothing less than all of it', () => {
  for (const name of names) {
    assert.equal(findIconName(name), name);
    assert.equal(findIconName(name.toUpperCase()), name);
  }
  const others = ['', 'hous', 'ouse', 'houses', ' house', 'house ', 'house\n', 'ban\u212a_building', '0', '1', '-1'];
  for (const text of [...others, 'constructor', '__proto__', 'hoUse.', 'wifi-off'])
    assert.equal(findIconName(text), undefined);
});
