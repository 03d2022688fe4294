// Parses the text of a held line.

import { parseExactJson } from '../../../lib/values/int64.ts';
import type { StreamLine } from './parse-lines.ts';

/** What is held is JSON; a text that is no object has no members. */
export function parseHeldFields(text: string): StreamLine['fields'] {
  const value = parseExactJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
