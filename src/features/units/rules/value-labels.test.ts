// Checks the labels of options, which depend on their setting where its grammar or sense needs it, and are shared
// otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../../lib/text/language.ts';
import { formatGroupLabel, formatOptionLabel, formatValueLabel } from './value-labels.ts';

test('an option has the text of its setting if gender, number or sense depends on it, and otherwise the shared one', () => {
  const table: [valueName: string, option: string, language: Language, label: string][] = [
    // The same option of two settings: heating up the water, and heating a house.
    ['Phase', 'Heating', 'pl', 'Nagrzewanie'],
    ['OperatingMode', 'Heating', 'pl', 'Ogrzewanie'],
    ['Phase', 'Cooling', 'da', 'Afkøling'],
    ['OperatingMode', 'Cooling', 'da', 'Køling'],
    // The nouns that they describe are feminine or masculine: serrure, lyfta, rekstrarhamur, ładowarka.
    ['LockState', 'Locked', 'fr', 'Verrouillée'],
    ['Direction', 'Standing', 'is', 'Kyrrstæð'],
    ['OperatingMode', 'Automatic', 'is', 'Sjálfvirkur'],
    ['ChargerState', 'Available', 'pl', 'Dostępna'],
    // Paper is not a tank.
    ['PaperLevel', 'Empty', 'nl', 'Op'],
    ['BookingFor', 'Location', 'en', 'Residents of the location'],
    // Shared
    ['AccessMode', 'Key', 'fi', 'Avain'],
    ['Cycle', 'Rinse', 'de', 'Spülen'],
    ['NewSetting', 'Rinse', 'de', 'Spülen'],
  ];
  for (const [valueName, option, language, label] of table)
    assert.equal(formatOptionLabel(valueName, option, language), label, `${language} ${valueName}.${option}`);
});

test('an option, setting or group without a text has its name as its label', () => {
  assert.equal(formatOptionLabel('AccessMode', 'Locked', 'fr'), 'Locked');
  assert.equal(formatValueLabel('FlightAltitude', 'da'), 'FlightAltitude');
  assert.equal(formatGroupLabel('OpeningHours', 'is'), 'Opnunartími');
});
