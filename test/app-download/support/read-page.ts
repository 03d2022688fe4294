// Reads the download page with an HTML parser.

import { attributeOf, readHtml } from '../../documents/support/read-formats.ts';

/** The languages of the page and of its parts. */
export const listTextLanguages = (html: string): string[] => [
  ...new Set(
    readHtml(html).flatMap((element) => {
      // A link to another language is in that language.
      if (attributeOf(element, 'hreflang') !== undefined) return [];
      const language = attributeOf(element, 'lang');
      return language === undefined ? [] : [language];
    }),
  ),
];
