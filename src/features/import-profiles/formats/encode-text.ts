// Texts -> the bytes of a file in an encoding.

import type { TextEncoding } from './decode-text.ts';

export type TextEncoder = {
  /** Undefined if the encoding lacks one of its characters. */
  encode(text: string): Buffer | undefined;
  /** The text without what the encoding lacks: `Ł` becomes `L`, or else a question mark. */
  toEncodable(text: string): string;
};

export function createTextEncoder(encoding: TextEncoding): TextEncoder {
  if (encoding === 'utf-8') return { encode: (text) => Buffer.from(text), toEncodable: (text) => text };
  const bytes = listBytes(encoding);
  const has = (text: string): boolean => Array.from(text).every((character) => bytes.has(character));
  return {
    encode: (text) => {
      const encoded = Array.from(text, (character) => bytes.get(character));
      return encoded.every((byte) => byte !== undefined) ? Buffer.from(encoded) : undefined;
    },
    toEncodable: (text) =>
      Array.from(text.normalize('NFC'), (character) => {
        if (bytes.has(character)) return character;
        const plain = withoutMarks(character);
        return has(plain) ? plain : '?';
      }).join(''),
  };
}

/** Letters whose stroke is no mark of its own in Unicode. */
const withStroke: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', Ŧ: 'T', ŧ: 't' };

const withoutMarks = (character: string): string =>
  withStroke[character] ?? (character.normalize('NFD').replaceAll(/\p{M}/gu, '') || '?');

/** Character -> its byte, but for the controls of C1, which no text has. */
function listBytes(encoding: TextEncoding): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const all = Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const);
  return new Map(all.filter(([character]) => !/[\u0080-\u009F]/.test(character)));
}
