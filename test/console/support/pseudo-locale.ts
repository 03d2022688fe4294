// English texts of the console made longer and strange, as in the language that needs the most room: what is cut, and what
// is no text of the catalogue, becomes visible.

import type { Page } from 'playwright-core';
import { catalogueOf, type Catalogue } from '../../../console/src/language/texts.ts';

const accents: Readonly<Record<string, string>> = { a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù' };

/** Each vowel becomes two: words grow by some 40 %, as those of Finnish and German do. Placeholders stay as they are. */
const stretch = (text: string): string =>
  `⟦${text.replaceAll(/\{\w+\}|[aeiou]/g, (found) => accents[found] ?? found)}⟧`;

const stretchEntry = (entry: Catalogue[string]): Catalogue[string] =>
  typeof entry === 'string'
    ? stretch(entry)
    : Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, stretch(text)]));

/** The page gets them in place of the English texts. */
export async function usePseudoLocale(page: Page): Promise<void> {
  const texts = Object.fromEntries(Object.entries(catalogueOf('en')).map(([key, entry]) => [key, stretchEntry(entry)]));
  await page.route(/\/console\/assets\/en-[\w-]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(texts)};` }),
  );
}

/** Texts of which a part is hidden, since their element is too small for them. */
export const listCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) => {
    const { overflowX, clipPath, display } = getComputedStyle(element);
    if (display === 'inline' || clipPath !== 'none' || !['hidden', 'clip'].includes(overflowX)) return false;
    if (element.closest('svg, [aria-hidden="true"]') !== null || element.textContent.trim() === '') return false;
    return element.scrollWidth > element.clientWidth + 1;
  }).map((element) => element.tagName + '.' + element.className + ': ' + element.textContent.trim().slice(0, 60))`);

/** What makes the page wider than the window; nothing that scrolls by itself. */
export const listWideElements = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (element) => element !== document.documentElement && getComputedStyle(element).overflowX !== 'visible';
    const isInside = (element) => {
      for (let each = element.parentElement; each !== null; each = each.parentElement) if (scrolls(each)) return true;
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > width + 0.5 && !isInside(element),
    );
    return ['the page', ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  })()`);

/** What names the parts of a screen, and is no text of the catalogue. */
export const listForeignTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(
    'main th, main label, main legend, main .filters label, nav:not(main *) :is(a, p), .tabs a, div:has(> h1) + div .button, .tile-name'
  )].map((element) => element.textContent.trim()).filter((text) => /[A-Za-z]{3}/.test(text) && !text.includes('⟦'))`);
