// Checks the fields of a resident other than the name and the email address.

import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { parseText, type FieldResult } from '../../../lib/field-values.ts';
import { languages, type Language } from '../../../lib/language.ts';

export type Phone = {
  /** As it was typed. */
  readonly typed: string;
  /** E.164; null without a number. */
  readonly number: string | null;
};

// In code points, as the columns of the tables allow.
export const maxApartmentLength = 64;
export const maxPhoneLength = 32;

/** May be empty. */
export const parseApartment = (text: string): FieldResult => parseText(text, maxApartmentLength);

export const parseLanguage = (text: string): FieldResult<Language> => {
  const language = languages.find((each) => each === text);
  return language === undefined ? { reason: `must be one of ${languages.join(', ')}` } : { value: language };
};

/** May be empty. A number without the code of a country is one of the tenant's country (ISO 3166-1). */
export function parsePhone(text: string, country: string): FieldResult<Phone> {
  const typed = text.normalize('NFC').trim();
  if (typed === '') return { value: { typed, number: null } };
  const reason = `must be a phone number of at most ${maxPhoneLength} characters, such as +4512345678`;
  if (typed.length > maxPhoneLength || !/^[+\d(][\d\s()./-]*$/.test(typed)) return { reason };
  const phone = parsePhoneNumberFromString(typed, country as CountryCode);
  return phone?.isPossible() === true ? { value: { typed, number: phone.number } } : { reason };
}

/** An empty text removes the PIN. */
export function parsePin(text: string): FieldResult {
  if (!/^(?:\d{4,8})?$/.test(text)) return { reason: 'must have 4 to 8 digits, or be empty' };
  return isEasilyGuessedPin(text)
    ? { reason: 'must not be easy to guess, such as 0000, 1212 or 1234' }
    : { value: text };
}

/** One or two digits repeated, or consecutive digits, rising or falling: what everybody tries first. */
const isEasilyGuessedPin = (pin: string): boolean =>
  /^(\d)\1+$|^(\d\d)\2+\d?$/.test(pin) ||
  (pin !== '' && ['01234567890', '09876543210'].some((row) => row.includes(pin)));
