// Parses the numbers of keys: of tags, and of cards with `Card:` in front.

import type { FieldResult } from '../../../lib/values/field-values.ts';
import { hexPrefix } from '../../../lib/text/number-search.ts';

export type ResidentKeyNumber = { readonly kind: KeyKind; readonly number: string };

export const keyKinds = ['Tag', 'Card'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Writes a key as AddKey takes it: the number of a tag, or `Card:` and that of a card. */
export const formatKey = ({ kind, number }: ResidentKeyNumber): string => (kind === 'Card' ? `Card:${number}` : number);

/** `04:A2:1B:33`, `0x04A21B33`, `Card:12 345`: separators, case and the 0x of a hexadecimal number do not count. */
export function parseKey(text: string): FieldResult<ResidentKeyNumber> {
  const [, prefix = 'Tag', rest = ''] = /^(?:(Tag|Card):)?(.*)$/is.exec(text.trim()) ?? [];
  const number = rest.replaceAll(/[\s:.-]/g, '').replace(hexPrefix, '');
  const kind = keyKinds.find((each) => each.toLowerCase() === prefix.toLowerCase()) ?? 'Tag';
  return /^[\da-z]{4,32}$/i.test(number)
    ? { value: { kind, number: number.toUpperCase() } }
    : {
        reason: 'must be a key number of 4 to 32 letters and digits, with Card: in front for a card',
        code: 'not-a-key',
      };
}
