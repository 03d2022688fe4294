// The download page as a parser of HTML sees it.

import { attributeOf, readHtml } from '../../documents/support/read-forms.ts';

/** The languages of the page and of its parts. */
export const listTextLanguages = (html: string): string[] => [
  ...new Set(
    readHtml(html).flatMap((element) => {
      const language = attributeOf(element, 'lang');
      return language === undefined ? [] : [language];
    }),
  ),
];
