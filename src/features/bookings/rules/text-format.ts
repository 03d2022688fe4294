// Formats the texts of booking rules and warnings, with their durations, amounts, percentages and settings, in a language.

import dayTexts from '../../../../locales/calendar-days.json' with { type: 'json' };
import { fillPlaceholders, localisedTexts, type Language } from '../../../lib/text/language.ts';
import { createDecimalAmountFormatter } from '../../../lib/values/decimal-amount.ts';
import { listFormat, numberFormat, pluralRules } from '../../../lib/time/intl-formats.ts';
import { formatValueLabel } from '../../units/rules/value-labels.ts';
import type { TextValue, TextValues } from './text-values.ts';

const calendarDays = localisedTexts(dayTexts);

type TextValueFormatter = (value: TextValue) => string | number;

/** Formats values in a language, with amounts in a currency. */
export function createTextValueFormatter(language: Language, currency: string): TextValueFormatter {
  const [days, duration, money] = [
    createCalendarDayFormatter(language),
    createDurationFormatter(language),
    createMoneyFormatter(language, currency),
  ];
  const percent = numberFormat(language, { style: 'percent' });
  return (value) => {
    if (typeof value !== 'object') return value;
    if ('minutes' in value) return duration(value.minutes);
    if ('days' in value) return days(value.days);
    if ('settingName' in value) return formatValueLabel(value.settingName, language);
    return 'minor' in value ? money(value.minor) : percent.format(value.percent / 100);
  };
}

/** Formats the text with a key, with values in its placeholders. */
export type TextFormatter = (key: string, values: TextValues) => string;

/** `texts`: those of a file of `locales` in one language. */
export const createTextFormatter =
  (texts: ReadonlyMap<string, string>, formatValue: TextValueFormatter): TextFormatter =>
  (key, values) => {
    const formattedValues = Object.entries(values).map(([name, value]) => [name, formatValue(value)] as const);
    // An abbreviated unit at the end of the text has its own full stop.
    return fillPlaceholders(texts.get(key) ?? key, Object.fromEntries(formattedValues)).replace(/\.\.$/, '.');
  };

/**
 * Formats minutes as `1 hour and 30 minutes`; zero as `0 minutes`. The words are those of Intl, in the nominative: a text
 * has its placeholder where its language takes that case. Intl.DurationFormat has no `and` in some languages.
 */
function createDurationFormatter(language: Language): (minutes: number) => string {
  const units = createTimeUnitFormats(language);
  // The English texts are British: no comma before `and`.
  const list = listFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' });
  return (minutes) => {
    const parts = [
      ['day', Math.floor(minutes / 1440)],
      ['hour', Math.floor((minutes % 1440) / 60)],
      ['minute', minutes % 60],
    ] as const;
    const nonZeroParts = parts.filter(([unit, value]) => value > 0 || (unit === 'minute' && minutes === 0));
    return list.format(nonZeroParts.map(([unit, value]) => units[unit].format(value)));
  };
}

/**
 * Formats calendar days. The unit `day` of Intl is a period of 24 hours, for which some languages have another word.
 */
function createCalendarDayFormatter(language: Language): (days: number) => string {
  const [texts, plural] = [calendarDays[language], pluralRules(language, {})];
  return (days) => fillPlaceholders(texts.get(plural.select(days)) ?? '{days}', { days });
}

function createTimeUnitFormats(language: Language): Record<'day' | 'hour' | 'minute', Intl.NumberFormat> {
  const format = (unit: string): Intl.NumberFormat =>
    numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return { day: format('day'), hour: format('hour'), minute: format('minute') };
}

/** The amount is passed to Intl as a decimal text, so that large amounts stay exact. */
function createMoneyFormatter(language: Language, currency: string): (minor: bigint) => string {
  const decimal = createDecimalAmountFormatter();
  const format = numberFormat(language, { style: 'currency', currency });
  return (minor) => format.format(decimal(minor, currency) as Intl.StringNumericLiteral);
}
