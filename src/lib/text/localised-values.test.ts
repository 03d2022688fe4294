// Checks dates, times, sizes, counts and money in the ten languages, against what their readers write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from './language.ts';
import {
  createMoneyFormatter,
  formatClockTime,
  formatCount,
  formatDate,
  formatLocalTime,
  formatSize,
} from './localised-values.ts';
import { toJsonInt64 } from '../values/int64.ts';

test('dates are written as readers of each language write them', () => {
  const expected = {
    da: '1. juni 2026',
    en: '1 June 2026',
    sv: '1 juni 2026',
    nb: '1. juni 2026',
    fi: '1. kesäkuuta 2026',
    is: '1. júní 2026',
    de: '1. Juni 2026',
    nl: '1 juni 2026',
    fr: '1 juin 2026',
    pl: '1 czerwca 2026',
  };
  for (const language of languages) assert.equal(formatDate('2026-06-01', language), expected[language]);
});

test('sizes are written in the unit that fits, in powers of 1,000', () => {
  const sizes = [1, 999, 1000, 1_234_567, 12_345_678_901, 9_999_999_999_999];
  assert.deepEqual(
    sizes.map((bytes) => formatSize(bytes, 'en')),
    ['1 byte', '999 byte', '1 kB', '1.2 MB', '12.3 GB', '10,000 GB'],
  );
});

const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2212', '-');

test('sizes and counts are written as readers of each language write them', () => {
  const expected = {
    da: ['1,2 MB', '1.234.567'],
    en: ['1.2 MB', '1,234,567'],
    sv: ['1,2 MB', '1 234 567'],
    nb: ['1,2 MB', '1 234 567'],
    fi: ['1,2 Mt', '1 234 567'],
    is: ['1,2 MB', '1.234.567'],
    de: ['1,2 MB', '1.234.567'],
    nl: ['1,2 MB', '1.234.567'],
    fr: ['1,2 Mo', '1 234 567'],
    pl: ['1,2 MB', '1 234 567'],
  };
  for (const language of languages)
    assert.deepEqual(
      [formatSize(1_234_567, language), formatCount(1_234_567, language)].map(plain),
      expected[language],
    );
});

test('money is in the major unit of its currency, in the way of the language, with every digit', () => {
  const table: [language: 'en' | 'da' | 'de' | 'fr', minor: bigint, currency: string | null, text: string][] = [
    ['en', -123_456n, 'DKK', '-DKK 1,234.56'],
    ['da', -123_456n, 'DKK', '-1.234,56 DKK'],
    ['de', 5n, 'EUR', '0,05 EUR'],
    ['fr', 123_456n, 'ISK', '123 456 ISK'],
    ['da', 1200n, null, '1.200'],
    ['da', 2n ** 63n - 1n, 'DKK', '92.233.720.368.547.758,07 DKK'],
  ];
  for (const [language, minor, currency, text] of table)
    assert.equal(plain(createMoneyFormatter(language)(toJsonInt64(minor), currency)), text);
});

test('times are those of a zone, in the way of the language', () => {
  assert.equal(plain(formatLocalTime('2026-06-15T09:30:00Z', 'Europe/Copenhagen', 'en')), '15 Jun 2026, 11:30');
  assert.equal(plain(formatLocalTime('2026-06-15T09:30:00Z', 'Europe/Copenhagen', 'de')), '15.06.2026, 11:30');
  assert.equal(formatClockTime('2026-06-15T23:05:00.000+02:00', 'fi'), '23.05');
});
