// Parses the phone of a resident, and lists the words by which it is found.

import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import type { FieldFault } from '../../../lib/values/field-faults.ts';
import type { FieldResult } from '../../../lib/values/field-values.ts';
import { compactNumber } from '../../../lib/text/number-search.ts';

export type Phone = {
  /** The number as it was typed. */
  readonly typed: string;
  /** E.164; null if there is none, or if it is not known. */
  readonly number: string | null;
};

/** In code points, as the column of the table allows. */
export const maxPhoneLength = 32;

/** May be empty. A number without the code of a country is one of the tenant's country (ISO 3166-1). */
export function parsePhone(text: string, country: string): FieldResult<Phone> {
  const typed = text.normalize('NFC').trim();
  if (typed === '') return { value: { typed, number: null } };
  const fault: FieldFault = {
    reason: `must be a phone number of at most ${maxPhoneLength} characters, such as +4512345678`,
    code: 'not-a-phone',
  };
  if (typed.length > maxPhoneLength || !/^[+\d(][\d\s()./-]*$/.test(typed)) return fault;
  const phone = parsePhoneNumberFromString(typed, country as CountryCode);
  return phone?.isPossible() === true ? { value: { typed, number: phone.number } } : fault;
}

/** People search for a number with or without the code of the country, whichever was typed. */
export function listPhoneWords({ typed, number }: Phone): string[] {
  const national = number === null ? undefined : parsePhoneNumberFromString(number)?.nationalNumber;
  return [typed, number ?? '', national ?? ''].map(compactNumber);
}
