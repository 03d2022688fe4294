// Decides whether a text that a provider gives can be the name of a city.

/** Longer than any name of a place; a longer text is damaged. */
const maxLength = 60;

/**
 * What names of places are written with: never the characters of markup (`<`, `>`, `"`, `;`), and never the first one of
 * a formula (`=`, `+`, `-`, `@`), since the name is shown, and exported to sheets.
 */
const pattern = /^['’]?[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’()/!&–-]*$/u;

export const isCityName = (text: string): boolean =>
  text.length <= maxLength && pattern.test(text) && /\p{L}/u.test(text);
