// The language of an answer, chosen from Accept-Language, and the names of units in it: stored names hold placeholders
// such as `{washer}`, and each reader sees them in their own language. The texts are in `locales`.

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import units from '../../../locales/units.json' with { type: 'json' };

/** The ten portal languages. */
export const languages = ['da', 'en', 'sv', 'nb', 'fi', 'is', 'de', 'nl', 'fr', 'pl'] as const;
export type Language = (typeof languages)[number];

const fallbackLanguage: Language = 'en';

// Norwegian readers also ask for the language as a whole and for Nynorsk; `*` leaves the choice to the server.
const languagesByRange: ReadonlyMap<string, Language> = new Map([
  ...languages.map((language) => [language, language] as const),
  ['no', 'nb'],
  ['nn', 'nb'],
  ['*', fallbackLanguage],
]);

// Far above what browsers send, even with every language their owner speaks.
const maxHeaderLength = 1024;

// A cache of a pure function: clients repeat a handful of headers, and the result depends on nothing else.
const negotiationCache = new LRUCache<string, Language>({ max: 500 });

/**
 * The portal language that an Accept-Language header prefers (RFC 9110, 12.5.4). Among equal weights the one named first;
 * English where none is usable: no header, one longer than 1024 characters, or no range in it that is supported and not
 * refused (`q=0`).
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined || acceptLanguage.length > maxHeaderLength) return fallbackLanguage;
  const cached = negotiationCache.get(acceptLanguage);
  if (cached !== undefined) return cached;

  const language = negotiate(acceptLanguage);
  negotiationCache.set(acceptLanguage, language);
  return language;
}

/** Replaces placeholders by words: `{washer} 3` -> `Vaskemaskine 3`. Other braces stay as they are. */
export function localiseName(name: string, language: Language): string {
  // Most names have no placeholder, and this runs for every row of every list.
  if (!name.includes('{')) return name;
  const texts = unitTexts[language];
  return name.replace(/\{([a-z_]+)\}/g, (placeholder, key: string) => texts.get(key) ?? placeholder);
}

/** Texts by key, each in its languages. */
export type Texts = Readonly<Record<string, { readonly en: string } & { readonly [language in Language]?: string }>>;

type LocalisedTexts = Readonly<Record<Language, ReadonlyMap<string, string>>>;

/** The texts of one or several files of `locales` by language; a text that a language lacks is English. */
export function localisedTexts(...files: readonly Texts[]): LocalisedTexts {
  const texts = files.flatMap((file) => Object.entries(file));
  const ofLanguage = (language: Language): ReadonlyMap<string, string> =>
    new Map(texts.map(([key, text]) => [key, text[language] ?? text.en]));
  return Object.fromEntries(languages.map((language) => [language, ofLanguage(language)])) as LocalisedTexts;
}

/** Replaces the placeholders of a text by values: `{minutes} minutes` -> `15 minutes`. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number | bigint>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The language of most people of a country (ISO 3166-1), if it is one of the portal's; otherwise English. */
export const languageOfCountry = (country: string): Language =>
  negotiateLanguage(new Intl.Locale(`und-${country}`).maximize().language);

const unitTexts = localisedTexts(units);

/**
 * RFC 4647 (3.4) on the client's list of ranges: each in turn is cut down to its primary language, and the first that is
 * one of ours is the answer.
 */
function negotiate(header: string): Language {
  for (const range of new Negotiator({ headers: { 'accept-language': header } }).languages()) {
    const [primary = ''] = range.toLowerCase().split('-', 1);
    const language = languagesByRange.get(primary);
    if (language !== undefined) return language;
  }
  return fallbackLanguage;
}
