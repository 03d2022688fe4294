// Tests that formatters of Intl are made once, format correctly and are bounded in number.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { collator, dateTimeFormat, listFormat, numberFormat, pluralRules } from './intl-formats.ts';
import { languages } from '../text/language.ts';

const language = fc.constantFrom(...languages);
const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01T00:00:00Z') });

test('a formatter is made once for each language and options', () => {
  assert.equal(dateTimeFormat('da', { timeStyle: 'short' }), dateTimeFormat('da', { timeStyle: 'short' }));
  assert.notEqual(dateTimeFormat('da', { timeStyle: 'short' }), dateTimeFormat('sv', { timeStyle: 'short' }));
  assert.notEqual(dateTimeFormat('da', { timeStyle: 'short' }), dateTimeFormat('da', { timeStyle: 'medium' }));
  for (const make of [numberFormat, collator, listFormat, pluralRules]) assert.equal(make('pl', {}), make('pl', {}));
});

test('it formats as one made for the occasion does', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  fc.assert(
    fc.property(
      language,
      moment,
      zone,
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
      (locale, at, timeZone, amount) => {
        const dates = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
        assert.equal(dateTimeFormat(locale, dates).format(at), new Intl.DateTimeFormat(locale, dates).format(at));
        const money = { style: 'currency', currency: 'DKK' } as const;
        assert.equal(numberFormat(locale, money).format(amount), new Intl.NumberFormat(locale, money).format(amount));
      },
    ),
  );
});

test('formatters beyond the limit are dropped, and made again', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const first = dateTimeFormat('fi', { timeZone: zones[0] });
  assert.ok(zones.length > 300);
  for (const timeZone of zones) dateTimeFormat('nl', { timeZone });
  const again = dateTimeFormat('fi', { timeZone: zones[0] });
  assert.notEqual(again, first);
  assert.deepEqual(again.resolvedOptions(), first.resolvedOptions());
});
