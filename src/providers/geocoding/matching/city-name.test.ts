// Which texts count as names of cities.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCityName } from './city-name.ts';

test('names of cities are accepted', () => {
  for (const name of [
    'København Ø',
    'Å',
    'St. Moritz',
    'Frankfurt (Oder)',
    "'s-Hertogenbosch",
    'Saint-Jean-d’Angély',
    'Westward Ho!',
    'Bristol, City of',
    'Brighton & Hove',
    'Biel/Bienne',
    'Stockholm 2',
    'x'.repeat(60),
  ])
    assert.ok(isCityName(name), name);
});

test('markup, formulas and damaged texts are no names of cities', () => {
  for (const text of [
    '',
    ' ',
    '<b>Lund</b>',
    'Lund<script>',
    'Lund"',
    '&lt;Lund',
    'Lund &amp; Malmö',
    '=1+1',
    '+Lund',
    '-Lund',
    '@Lund',
    'Lund=1',
    'Lu\nnd',
    'Lu\u202End',
    '12345',
    'http://lund.example',
    'x'.repeat(61),
  ])
    assert.ok(!isCityName(text), text);
});
