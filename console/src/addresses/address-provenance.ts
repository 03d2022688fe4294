// Says in the reader's words where the coordinates of an address are from. The months of a lookup are its codes 1 to
// 12.

import type { TextKey } from '../language/catalogue.ts';
import type { LanguageState } from '../language/language-store.ts';

/** The codes besides the months of a lookup. */
const texts: Readonly<Record<number, TextKey>> = {
  0: 'address.unknown',
  13: 'address.pending',
  20: 'address.failed',
  30: 'address.manual',
};

export const provenanceCodes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 30] as const;

export function nameOfProvenance(code: number, { t, formats }: Pick<LanguageState, 't' | 'formats'>): string {
  const text = texts[code];
  return text === undefined ? `${t('address.lookup')} (${formats.month(code)})` : t(text);
}
