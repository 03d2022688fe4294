// Checks what is stored of a resident. Texts are trimmed and composed (NFC), so that the same text is stored the same.

import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { foldEmail } from '../../../lib/resident-keys.ts';
import { languages, type Language } from '../../../lib/language.ts';

export type FieldResult<T = string> = { readonly value: T } | { readonly reason: string };

export type Phone = {
  /** As it was typed. */
  readonly typed: string;
  /** E.164; null without a number. */
  readonly number: string | null;
};

export type Key = { readonly kind: KeyKind; readonly number: string };

export const keyKinds = ['Tag', 'Card'] as const;
export type KeyKind = (typeof keyKinds)[number];

// In code points, as the tables have room for them.
const maxNameLength = 200;
const maxApartmentLength = 64;
const maxPhoneLength = 32;

const isError = (result: FieldResult<unknown>): result is { readonly reason: string } => 'reason' in result;

function parseText(text: string, maxLength: number): FieldResult {
  const value = text.normalize('NFC').trim();
  if (/[\p{Cc}\u2028\u2029]|\p{Cs}/u.test(value)) return { reason: 'must not contain control characters' };
  return Array.from(value).length > maxLength ? { reason: `must have at most ${maxLength} characters` } : { value };
}

const visibleCharacter = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\p{M}]/u;

export function parseName(text: string): FieldResult {
  const result = parseText(text, maxNameLength);
  return !isError(result) && !visibleCharacter.test(result.value) ? { reason: 'must not be empty' } : result;
}

/** May be empty. */
export const parseApartment = (text: string): FieldResult => parseText(text, maxApartmentLength);

export const parseLanguage = (text: string): FieldResult<Language> => {
  const language = languages.find((each) => each === text);
  return language === undefined ? { reason: `must be one of ${languages.join(', ')}` } : { value: language };
};

/** RFC 5321, 4.5.3.1, in octets: 64 of the local part, 255 of the domain, 256 of the path with its angle brackets. */
const maxLocalPartOctets = 64;
const maxEmailOctets = 254;
/** RFC 5322, 3.2.3: a dot-atom, with the characters that RFC 6531 adds. */
const localPartPattern = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainPattern = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** May be empty. Quoted local parts and address literals are refused: nobody has them, and devices choke on them. */
export function parseEmail(text: string): FieldResult {
  const value = text.normalize('NFC').trim();
  if (value === '') return { value };
  const at = value.lastIndexOf('@');
  const [localPart, domain] = [value.slice(0, at), value.slice(at + 1)];
  const isEmail =
    at > 0 &&
    localPartPattern.test(localPart) &&
    Buffer.byteLength(localPart) <= maxLocalPartOctets &&
    Buffer.byteLength(value) <= maxEmailOctets &&
    foldEmail(value).length <= maxEmailOctets &&
    domainPattern.test(domainToASCII(domain).toLowerCase());
  return isEmail ? { value } : { reason: 'must be an email address' };
}

/** May be empty. A number without the code of a country is one of the tenant's country (ISO 3166-1). */
export function parsePhone(text: string, country: string): FieldResult<Phone> {
  const typed = text.normalize('NFC').trim();
  if (typed === '') return { value: { typed, number: null } };
  const reason = `must be a phone number of at most ${maxPhoneLength} characters, such as +4512345678`;
  if (typed.length > maxPhoneLength || !/^[+\d(][\d\s()./-]*$/.test(typed)) return { reason };
  const phone = parsePhoneNumberFromString(typed, country as CountryCode);
  return phone?.isPossible() === true ? { value: { typed, number: phone.number } } : { reason };
}

/** `04:A2:1B:33`, `Card:12 345`: separators and case do not count. */
export function parseKey(text: string): FieldResult<Key> {
  const [, prefix = 'Tag', rest = ''] = /^(?:(Tag|Card):)?(.*)$/is.exec(text.trim()) ?? [];
  const number = rest.replaceAll(/[\s:.-]/g, '');
  const kind = keyKinds.find((each) => each.toLowerCase() === prefix.toLowerCase()) ?? 'Tag';
  return /^[\da-z]{4,32}$/i.test(number)
    ? { value: { kind, number: number.toUpperCase() } }
    : { reason: 'must be a key number of 4 to 32 letters and digits, with Tag: or Card: in front if it is not a tag' };
}

/** Empty takes the PIN away. */
export const parsePin = (text: string): FieldResult =>
  /^(?:\d{4,8})?$/.test(text) ? { value: text } : { reason: 'must have 4 to 8 digits, or be empty' };
