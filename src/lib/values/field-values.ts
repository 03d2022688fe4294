// Checks texts that people enter: names, lines of text, email addresses. They are trimmed and composed (NFC), so that the
// same text is stored the same.

import { domainToASCII } from 'node:url';
import { notEmpty, tooLong, type FieldFault } from './field-faults.ts';

export type FieldResult<T = string> = { readonly value: T } | FieldFault;

// In code points, as the tables have room for them.
export const maxNameLength = 200;

const isError = (result: FieldResult<unknown>): result is FieldFault => 'reason' in result;

/** May be empty. */
export function parseText(text: string, maxLength: number): FieldResult {
  const value = text.normalize('NFC').trim();
  if (/[\p{Cc}\u2028\u2029]|\p{Cs}/u.test(value))
    return { reason: 'must not contain control characters', code: 'control-characters' };
  return Array.from(value).length > maxLength ? tooLong(maxLength) : { value };
}

const notAnEmail: FieldFault = { reason: 'must be an email address', code: 'not-an-email' };

const visibleCharacter = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\p{M}]/u;

export function parseName(text: string): FieldResult {
  const result = parseText(text, maxNameLength);
  return !isError(result) && !visibleCharacter.test(result.value) ? notEmpty : result;
}

/** RFC 5321, 4.5.3.1, in octets: 64 of the local part, 255 of the domain, 256 of the path with its angle brackets. */
const maxLocalPartOctets = 64;
export const maxEmailOctets = 254;
/** RFC 5322, 3.2.3: a dot-atom, with the characters that RFC 6531 adds. */
const localPartPattern = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainPattern = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Parses an address as {@link parseEmail} does, but refuses an empty one. */
export function parseRequiredEmail(text: string): FieldResult {
  const result = parseEmail(text);
  return !isError(result) && result.value === '' ? notAnEmail : result;
}

/** May be empty. Quoted local parts and address literals are refused: nobody has them, and devices fail on them. */
export function parseEmail(text: string): FieldResult {
  const value = text.normalize('NFC').trim();
  if (value === '') return { value };
  const index = value.lastIndexOf('@');
  const [localPart, domain] = [value.slice(0, index), value.slice(index + 1)];
  const isEmail =
    index > 0 &&
    localPartPattern.test(localPart) &&
    Buffer.byteLength(localPart) <= maxLocalPartOctets &&
    Buffer.byteLength(value) <= maxEmailOctets &&
    foldEmail(value).length <= maxEmailOctets &&
    domainPattern.test(domainToASCII(domain).toLowerCase());
  return isEmail ? { value } : notAnEmail;
}

/** Email addresses are the same whatever their case, and however their domain is written. */
export function foldEmail(email: string): string {
  const index = email.lastIndexOf('@') + 1;
  return (email.slice(0, index) + (domainToASCII(email.slice(index)) || email.slice(index))).toLowerCase();
}

/** The words of a list, each once. */
export const splitWords = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];
