// Computes by what two lines with one reference are compared: everything that they say but their number.

import { createHash } from 'node:crypto';
import { isExactNumber } from '../../../lib/values/int64.ts';
import type { StreamLine } from './parse-lines.ts';

/** SHA-256 of the line in canonical JSON: members sorted by name, no white space. */
export function hashLineContent({ fields = {} }: Pick<StreamLine, 'fields'>): string {
  const { n: _number, ...content } = fields;
  return createHash('sha256').update(toCanonicalJson(content)).digest('hex');
}

const toCanonicalJson = (value: unknown): string => JSON.stringify(sortMembers(value));

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, sortMembers(each)]));
}
