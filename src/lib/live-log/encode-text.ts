// Encodes a value that is put into the text of a page. What is encoded already stays as it is.

import { escapeHtml } from '../escape-html.ts';

/** Parts at odd places are character references. */
const characterReferences = /(&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

export const encodeText = (text: string): string =>
  text
    .split(characterReferences)
    .map((part, at) => (at % 2 === 1 ? part : escapeHtml(part)))
    .join('');
