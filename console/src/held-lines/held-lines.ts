// The states of held lines and the reasons why they are held, in the reader's words.

import type { HeldCode, HeldLineState } from '../api/operations.ts';
import type { StateTexts } from '../components/state-mark.tsx';
import type { TextKey, Translate } from '../language/catalogue.ts';

export const heldStateTexts: StateTexts<HeldLineState> = {
  held: { text: 'held.held', tone: 'warn' },
  resolved: { text: 'held.resolved', tone: 'ok' },
  discarded: { text: 'held.discarded', tone: 'plain' },
};

const codeTexts: Readonly<Record<HeldCode, TextKey>> = {
  malformed: 'held.malformed',
  'unknown-unit': 'held.unknownUnit',
  'unknown-key': 'held.unknownKey',
  'foreign-currency': 'held.foreignCurrency',
  'time-ahead': 'held.timeAhead',
  'ref-conflict': 'held.refConflict',
  'unknown-ref': 'held.unknownRef',
  'invalid-amount': 'held.invalidAmount',
  'booking-refused': 'held.bookingRefused',
  'unknown-value': 'held.unknownValue',
  'unknown-command': 'held.unknownCommand',
};

export const heldCodes = Object.keys(codeTexts) as HeldCode[];

/**
 * The name of a code in the reader's language. Later versions of the service may have more codes: a code without a name
 * is shown as the service sends the code.
 */
export function nameOfHeldCode(code: string, t: Translate): string {
  const key = (codeTexts as Readonly<Record<string, TextKey>>)[code];
  return key === undefined ? code : t(key);
}
