// How lengths of time, money and shares are spelled in a language.

import { filled, textsOf, type Language } from '../../../lib/language.ts';
import { decimalAmounts } from '../../../lib/decimal-amount.ts';
import type { Word, Words } from '../rules/word.ts';

const calendarDays = textsOf('calendarDays');

/** Spells a word. */
export type Spelling = (word: Word) => string | number;

/** The spelling of a language, with money in a currency. */
export function spellingIn(language: Language, currency: string): Spelling {
  const [days, duration, money] = [daysIn(language), durationsIn(language), moneyIn(language, currency)];
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (word) => {
    if (typeof word !== 'object') return word;
    if ('minutes' in word) return duration(word.minutes);
    if ('days' in word) return days(word.days);
    return 'minor' in word ? money(word.minor) : percent.format(word.percent / 100);
  };
}

/** Puts the words of a rule or warning into its text. */
export type Sentence = (key: string, words: Words) => string;

/** Sentences out of a section of the locales in one language. */
export function sentencesOf(texts: ReadonlyMap<string, string>, spelling: Spelling): Sentence {
  return (key, words) => {
    const spelled = Object.entries(words).map(([name, word]) => [name, spelling(word)] as const);
    // A word that is an abbreviation ends with a full stop of its own.
    return filled(texts.get(key) ?? key, Object.fromEntries(spelled)).replace(/\.\.$/, '.');
  };
}

/** Spells minutes as `1 hour 30 minutes`; none at all are minutes. */
export function durationsIn(language: Language): (minutes: number) => string {
  const units = unitsIn(language);
  const list = new Intl.ListFormat(language, { type: 'unit', style: 'narrow' });
  return (minutes) => {
    const parts = [
      ['day', Math.floor(minutes / 1440)],
      ['hour', Math.floor((minutes % 1440) / 60)],
      ['minute', minutes % 60],
    ] as const;
    const some = parts.filter(([unit, value]) => value > 0 || (unit === 'minute' && minutes === 0));
    return list.format(some.map(([unit, value]) => units[unit].format(value)));
  };
}

/** Days of the calendar. Where a language has a word of its own for 24 hours, the unit `day` of Intl is that word. */
function daysIn(language: Language): (days: number) => string {
  const [texts, plural] = [calendarDays[language], new Intl.PluralRules(language)];
  return (days) => filled(texts.get(plural.select(days)) ?? '{days}', { days });
}

function unitsIn(language: Language): Record<'day' | 'hour' | 'minute', Intl.NumberFormat> {
  const format = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return { day: format('day'), hour: format('hour'), minute: format('minute') };
}

/** Exact, however much it is: the amount goes to Intl as digits. */
function moneyIn(language: Language, currency: string): (minor: bigint) => string {
  const decimal = decimalAmounts();
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return (minor) => format.format(decimal(minor, currency) as Intl.StringNumericLiteral);
}
