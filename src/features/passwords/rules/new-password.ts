// Decides whether a manager may choose a password (OWASP ASVS 5.0, 6.2.1, 6.2.4, 6.2.9 and 6.2.11).

import type { FieldFault } from '../../../lib/values/field-faults.ts';
import {
  demoPassword,
  countPasswordLength,
  foldPassword,
  maxPasswordLength,
  minPasswordLength,
  normalizePassword,
} from './password.ts';

type NewPasswordContext = {
  /** The folded common passwords. */
  readonly commonPasswords: ReadonlySet<string>;
  /** Texts that others know about the manager: user name, email address, names of the tenant. */
  readonly ownWords: readonly string[];
  /** Whether the demo password is accepted. */
  readonly demo: boolean;
};

/** Words that attackers try first at a service like this one. */
const serviceWords = ['portal', 'manager', 'management', 'service', 'facility', 'laundry', 'password', 'admin', 'demo'];

/** Why the password is not accepted, as a predicate ("must not ..."); undefined if it is. */
export function findPasswordFault(
  password: string,
  { commonPasswords, ownWords, demo }: NewPasswordContext,
): FieldFault | undefined {
  const length = countPasswordLength(password);
  const lengths = `must have ${minPasswordLength} to ${maxPasswordLength} characters`;
  if (length < minPasswordLength) return { reason: lengths, code: 'too-short', limit: String(minPasswordLength) };
  if (length > maxPasswordLength) return { reason: lengths, code: 'too-long', limit: String(maxPasswordLength) };
  if (!password.isWellFormed()) return { reason: 'must be well-formed Unicode', code: 'control-characters' };
  if (normalizePassword(password) === demoPassword)
    return demo ? undefined : { reason: 'must not be the demo password', code: 'weak-password' };
  const folded = foldPassword(password);
  if (commonPasswords.has(folded)) return { reason: 'must not be a common password', code: 'weak-password' };
  const words = [...ownWords.flatMap(listParts), ...serviceWords];
  return isMadeOf(folded.replaceAll(notLetters, ''), words)
    ? {
        reason: 'must not consist only of the user name, the email address or words of the service',
        code: 'weak-password',
      }
    : undefined;
}

const notLetters = /[^\p{L}\p{M}]/gu;

/** A name and its parts: `anna.lund@example.org` -> `annalundexampleorg`, `anna`, `lund`, `example`, `org`. */
function listParts(word: string): string[] {
  const folded = foldPassword(word);
  return [folded.replaceAll(notLetters, ''), ...folded.split(notLetters)].filter((part) => part.length > 1);
}

/** Whether the letters are a sequence of such words. The time grows with length times number of words. */
function isMadeOf(letters: string, words: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (let index = 0; index < letters.length; index += 1) {
    if (!reachable.has(index)) continue;
    for (const word of words) if (letters.startsWith(word, index)) reachable.add(index + word.length);
  }
  return letters !== '' && reachable.has(letters.length);
}
