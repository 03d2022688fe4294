// Decides which texts are valid addresses and postal codes.

import { tooLong, type FieldFault } from '../../../lib/values/field-faults.ts';
import type { FieldResult } from '../../../lib/values/field-values.ts';
import { hasPostalRule, splitZip } from '../../../lib/text/postal-code.ts';

/** In code points. */
export const maxAddressLength = 512;
export const maxZipLength = 64;

export type AddressText = { readonly address: string; readonly zip: string };

/** The form in which texts are stored. It is the same for equal addresses, whichever keyboard they were typed on. */
const normalizeText = (text: string): string => text.normalize('NFC').trim();

export const normalizeAddressText = ({ address, zip }: AddressText): AddressText => ({
  address: normalizeText(address),
  zip: normalizeText(zip),
});

/** Why the characters of a text cannot be stored; undefined if they can. */
function findTextFault(text: string): FieldFault | undefined {
  const code = 'control-characters';
  if (!text.isWellFormed()) return { reason: 'must be well-formed Unicode', code };
  return /\p{Cc}/u.test(text) ? { reason: 'must have no control characters', code } : undefined;
}

/** Finds a fault of the length after normalisation: NFC can be longer than the text that was typed. */
const findLengthFault = (text: string, maxLength: number): FieldFault | undefined =>
  Array.from(text).length > maxLength
    ? { ...tooLong(maxLength), reason: `must have at most ${maxLength} characters in NFC` }
    : undefined;

/** Stores it in the form of {@link normalizeText}. */
export function parseAddressText(text: string, maxLength: number): FieldResult {
  const value = normalizeText(text);
  const typedFault = Array.from(text).length > maxLength ? tooLong(maxLength) : undefined;
  return typedFault ?? findTextFault(text) ?? findLengthFault(value, maxLength) ?? { value };
}

/** An address is looked up only with its postal code. */
export const isComplete = ({ address, zip }: AddressText): boolean => address !== '' && zip !== '';

/**
 * What a location without an address is looked up by: its name and its postal code. Undefined if one of them is missing
 * or invalid. Many places can have the same name, so the zip must begin with a postal code of the country.
 */
export function toNameQuery(country: string, name: string, storedZip: string): AddressText | undefined {
  const [address, zip] = [normalizeText(name), normalizeText(storedZip)];
  if (!isComplete({ address, zip }) || !isStorable(address, maxAddressLength) || !isStorable(zip, maxZipLength))
    return undefined;
  return hasPostalRule(country) && splitZip(country, zip) === undefined ? undefined : { address, zip };
}

/** `<postcode> <city>`; undefined if that text cannot be stored. */
export function completeZip(postcode: string, city: string): string | undefined {
  const zip = `${postcode} ${city.trim()}`;
  return city.trim() !== '' && isStorable(zip, maxZipLength) ? zip : undefined;
}

const isStorable = (text: string, maxLength: number): boolean =>
  findTextFault(text) === undefined && findLengthFault(text, maxLength) === undefined;
