// The words, sort keys and email keys that migrations 0017 and 0022 gave to the rows that were there before. They are a
// copy of what src/lib computed then: a database that is migrated later gets the same values.

import { domainToASCII } from 'node:url';

const maxWordLength = 64;
const maxSortKeyLength = 100;

const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ß: 'ss',
};
const plainLetterPattern = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(plainLetterPattern, (letter) => plainLetters[letter] ?? letter);

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

/** The words between spaces, and the letters and digits between other characters. */
export function listSearchWords(texts: readonly string[]): string[] {
  const words = new Set<string>();
  const wholeWords = texts.flatMap((text) => foldText(text).split(/[\p{White_Space}\p{Cc}]+/u));
  for (const whole of wholeWords.filter((word) => word !== '')) {
    words.add(cut(whole, maxWordLength));
    for (const part of whole.match(/[\p{L}\p{N}]+/gu) ?? []) words.add(cut(part, maxWordLength));
  }
  return [...words];
}

/** The folded text, with numbers of at most nine digits padded to nine. */
export const formatSortKey = (text: string): string =>
  cut(
    foldText(text)
      .trim()
      .replaceAll(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(9, '0')),
    maxSortKeyLength,
  );

/** The email address without case, and with an ASCII domain. */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return (email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at))).toLowerCase();
}
