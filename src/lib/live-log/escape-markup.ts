// Encodes a value that becomes part of the text of a page. Character references in it stay as they are.

import { escapeHtml } from '../text/escape-html.ts';

/** Parts at odd places are character references. */
const characterReferences = /(&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

export const escapeMarkup = (text: string): string =>
  text
    .split(characterReferences)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part)))
    .join('');
