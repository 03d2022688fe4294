// Parses the PIN of a resident.

import type { FieldResult } from '../../../lib/values/field-values.ts';

/** An empty text removes the PIN. */
export function parsePin(text: string): FieldResult {
  if (!/^(?:\d{4,8})?$/.test(text)) return { reason: 'must have 4 to 8 digits, or be empty', code: 'not-a-pin' };
  return isEasilyGuessedPin(text)
    ? { reason: 'must not be easy to guess, such as 0000, 1212 or 1234', code: 'weak-pin' }
    : { value: text };
}

/** One or two digits repeated, or consecutive digits, rising or falling: what everybody tries first. */
const isEasilyGuessedPin = (pin: string): boolean =>
  /^(\d)\1+$|^(\d\d)\2+\d?$/.test(pin) ||
  (pin !== '' && ['01234567890', '09876543210'].some((row) => row.includes(pin)));
