// Parses user names, and decides which are the same.

import type { FieldResult } from '../../../lib/values/field-values.ts';

const maxUserNameLength = 128;

/** One line of text, without the spaces around it. */
export function parseUserName(text: string): FieldResult {
  const value = text.trim();
  if (value.length < 1 || value.length > maxUserNameLength || /\p{Cc}/u.test(value))
    return { reason: `must have 1 to ${maxUserNameLength} characters, none of them a control character` };
  // Normalization can turn a few characters into many.
  return normalizeUserName(value).length > maxUserNameLength
    ? { reason: `must have at most ${maxUserNameLength} characters in its normalized form (NFKC)` }
    : { value };
}

/** The key by which user names are compared: NFKC, lower case, without spaces around it. */
export function normalizeUserName(userName: string): string {
  return userName.normalize('NFKC').trim().toLowerCase();
}
