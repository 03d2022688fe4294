// Parsing house numbers and streets as people write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSamePlaceName, readStreetAddress, resemblesStreet } from './house-number.ts';

test('the house number is found before and after the street', () => {
  const table: [address: string, street: string, houseNumber: string | undefined][] = [
    ['Alder Lane 2', 'Alder Lane', '2'],
    ['Alder Lane 2B', 'Alder Lane', '2b'],
    ['Alder Lane 2 B', 'Alder Lane', '2b'],
    ['Alder Lane 2-4', 'Alder Lane', '2-4'],
    ['Alder Lane 2, 1. tv', 'Alder Lane', '2'],
    ['Alder Lane 2 st tv', 'Alder Lane', '2'],
    ['10 Downing Street', 'Downing Street', '10'],
    ['Flat 3, 10 Downing Street', 'Downing Street', '10'],
    ['Straße des 17. Juni 135', 'Straße des 17. Juni', '135'],
    ['Alder Lane', 'Alder Lane', undefined],
    ['Alder house Ø', 'Alder house Ø', undefined],
    ['2', '2', undefined],
    ['Flat 3', 'Flat', '3'],
  ];
  for (const [address, street, houseNumber] of table)
    assert.deepEqual(readStreetAddress(address), { street, houseNumber }, address);
});

test('names are the same in all spellings of their letters', () => {
  const same = [
    ['Ærøvej', 'AEROEVEJ'],
    ['Åbenrå', 'Aabenraa'],
    ['Große  Straße', 'grosse-strasse'],
    ['Café', 'Cafe'],
  ] as const;
  for (const [a, b] of same) assert.ok(isSamePlaceName(a, b), `${a} ${b}`);
  assert.ok(!isSamePlaceName('Alder Lane', 'Alder Lanes'));
  assert.ok(!isSamePlaceName('Ærø', 'Aro'));
});

test('a street resembles its abbreviations, and no other street', () => {
  const table: [asked: string, found: string, resembles: boolean][] = [
    ['Gl. Kongevej', 'Gammel Kongevej', true],
    ['Hauptstr.', 'Hauptstraße', true],
    ['Alder Lane', 'alder ln', true],
    ['Alder Lane', 'Birchwood', false],
    ['Kongevejen', 'Dronningens Gade', false],
  ];
  for (const [asked, found, resembles] of table) assert.equal(resemblesStreet(asked, found), resembles, found);
});
