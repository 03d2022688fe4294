// Escapes texts for HTML, between tags and in quoted attributes.

/** Texts without a character to escape, as most are: the check is fast. */
const plainText = /^[ !#-%(-;=?-~]*$/;

/** Controls and noncharacters, which no page may hold (HTML, 13.2.3.5), but not tabs and line feeds. */
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[\u0000-\u0008\v-\u001F\u007F-\u009F]|\p{Noncharacter_Code_Point}/gu;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A line end becomes a line feed, as a browser reads it, and what a page may not hold U+FFFD. */
export function escapeHtml(text: string): string {
  if (plainText.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(forbiddenCharacters, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => references[character] ?? '');
}

/** Parts at odd places are character references. */
const characterReferences = /(&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

/** Encodes a value that becomes part of the text of a page. Character references in it stay as they are. */
export const escapeMarkup = (text: string): string =>
  text
    .split(characterReferences)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part)))
    .join('');
