// Renders the frame of a page for people: its head, its logo and its heading. It needs no script.

import { escapeHtml } from '../text/escape-html.ts';
import type { Language } from '../text/language.ts';
import { pageStyle } from './page-style.ts';

const logo = '/api/v1/logos/brand/BrandBright.svg';

type Page = {
  readonly language: Language;
  /** Plain text. */
  readonly title: string;
  /** HTML; the title by default. */
  readonly heading?: string;
  /** HTML. */
  readonly content: string;
  /** Only the hosts of tenants have one. */
  readonly hasLogo: boolean;
};

export function renderPage({ language, title, heading = escapeHtml(title), content, hasLogo }: Page): string {
  return (
    `<!DOCTYPE html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">\n` +
    `<title>${escapeHtml(title)}</title>\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    (hasLogo ? `<link rel="icon" type="image/svg+xml" href="${logo}">\n` : '') +
    `<style>${pageStyle}</style>\n</head>\n<body>\n<main>\n` +
    (hasLogo ? `<img src="${logo}" alt="" width="44" height="44">\n` : '') +
    `<h1>${heading}</h1>\n${content}</main>\n</body>\n</html>\n`
  );
}
