// What was detected of a file, as people write it.

import type { DetectedFile } from '../api/operations.ts';

export const nameOfSeparator = (separator: DetectedFile['separator'] | undefined): string | null | undefined =>
  separator === '\t' ? 'Tab' : separator;

export function decimalText(isComma: boolean | null | undefined): string | undefined {
  if (isComma === null || isComma === undefined) return undefined;
  return isComma ? '1,50' : '1.50';
}
