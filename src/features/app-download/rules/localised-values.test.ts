// Checks dates and sizes in the ten languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../../lib/language.ts';
import { formatDate, formatSize } from './localised-values.ts';

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
  assert.equal(formatSize(1_234_567, 'da'), '1,2 MB');
  assert.equal(formatSize(1_234_567, 'fr').replaceAll(/\s/g, ' '), '1,2 Mo');
  assert.equal(formatSize(1_234_567, 'fi').replaceAll(/\s/g, ' '), '1,2 Mt');
});
