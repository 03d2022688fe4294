// Computes by what residents are found, sorted and identified: search words, sort keys and email addresses.

import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { compactNumber } from './number-search.ts';
import { listIdWords, listSearchWords } from './search-words.ts';

type SearchableResident = {
  readonly residentId: number;
  readonly name: string;
  readonly apartment: string;
  readonly email: string;
  /** As it was typed. */
  readonly phone: string;
  /** E.164, if the phone is known to be one. */
  readonly phoneNumber: string | null;
  readonly keyNumbers: readonly string[];
};

/** Email addresses are the same whatever their case, and however their domain is written. */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return (email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at))).toLowerCase();
}

/** The words by which a resident is found. */
export function listResidentWords(resident: SearchableResident): string[] {
  const { residentId, name, apartment, email, phone, phoneNumber, keyNumbers } = resident;
  // People search for a number with or without the code of the country, whichever was typed.
  const national = phoneNumber === null ? undefined : parsePhoneNumberFromString(phoneNumber)?.nationalNumber;
  const phones = [phone, phoneNumber ?? '', national ?? ''].map(compactNumber);
  return listSearchWords([name, apartment, email, ...phones, ...keyNumbers, ...listIdWords('user', residentId)]);
}
