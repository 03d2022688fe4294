// Renders the start page of a tenant's host: where people find what they want, and programs their description.

import pages from '../../../locales/pages.json' with { type: 'json' };
import { escapeHtml } from '../../lib/text/escape-html.ts';
import { fillPlaceholders, localisedTexts, type Language } from '../../lib/text/language.ts';
import { renderPage } from '../../lib/pages/render-page.ts';

type StartPage = {
  readonly language: Language;
  /** The name of the tenant. */
  readonly portal: string;
  /** The path of the console. */
  readonly console: string;
  /** The path of the reference page. */
  readonly reference: string;
  readonly documents: readonly { readonly title: string; readonly url: string }[];
  /** The path of the tenant's public state. */
  readonly status: string;
};

const texts = localisedTexts(pages);

export function renderStartPage(page: StartPage): string {
  const { language, portal, console, reference, documents, status } = page;
  const textOf = (key: string): string => texts[language].get(key) ?? key;
  const link = (url: string, key: string): string => `<li><a href="${url}">${escapeHtml(textOf(key))}</a></li>\n`;
  const documentLinks = documents.map(
    ({ title, url }) => `<li><a href="${url}" lang="en">${escapeHtml(title)}</a></li>\n`,
  );
  return renderPage({
    language,
    title: fillPlaceholders(textOf('startTitle'), { portal }),
    hasLogo: true,
    content:
      `<p>${escapeHtml(textOf('startIntro'))}</p>\n` +
      `<ul>\n${link(console, 'console')}${link(reference, 'reference')}${link('/download', 'download')}${link(status, 'status')}</ul>\n` +
      `<section class="help" aria-labelledby="documents">\n<h2 id="documents">${escapeHtml(textOf('documents'))}</h2>\n` +
      `<ul>\n${documentLinks.join('')}</ul>\n</section>\n`,
  });
}
