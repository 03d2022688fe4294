// Declares the opening hours of a unit, one setting for each weekday: `07:00-12:00,13:00-22:00`, `00:00-24:00`,
// `closed`.

import { setting } from './value-definition.ts';

const timePattern = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const intervalPattern = `${timePattern}-(?:${timePattern}|24:00)`;

/** The pattern of an opening setting, and of the intervals of an exception. */
export const openingPattern = `closed|${intervalPattern}(?:,${intervalPattern}){0,7}`;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/**
 * In the order of ISO weekdays. An interval that ends at or before its start ends on the next day. The hours of a
 * weekday without a value are unknown.
 */
export const openingSettings = weekdays.map((weekday) =>
  setting('OpeningHours', `Opening${weekday}`, 'text', { maxLength: 100, pattern: openingPattern }),
);
export const openingSettingNames = openingSettings.map(({ name }) => name);
