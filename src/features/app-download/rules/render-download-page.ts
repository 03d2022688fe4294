// Renders the download page: the packages, with the package for the visitor's computer first, and how to install and
// verify the packages. The page needs no script.

import appDownload from '../../../../locales/app-download.json' with { type: 'json' };
import { renderPage } from '../../../lib/pages/render-page.ts';
import { escapeHtml } from '../../../lib/text/escape-html.ts';
import { fillPlaceholders, languages, type Language } from '../../../lib/text/language.ts';
import { formatDate, formatSize } from '../../../lib/text/localised-values.ts';
import { architectures, type Architecture } from '../../../providers/releases/package/package-identity.ts';
import type { ReleasedPackage } from '../../../providers/releases/releases.ts';
import { installerPath, packagePath } from './app-installer.ts';

export type DownloadPage = {
  /** The name of the tenant. */
  readonly portal: string;
  readonly environment: 'production' | 'beta';
  readonly language: Language;
  readonly texts: ReadonlyMap<string, PageText>;
  readonly packages: readonly ReleasedPackage[];
  /** Undefined if it is not known. */
  readonly visitorArchitecture: Architecture | undefined;
  /** Undefined if it is not known. */
  readonly visitorHasWindows: boolean | undefined;
};

/** A text as HTML, or as plain text for the title of the page. */
type Translate = (key: string, values?: Readonly<Record<string, string>>) => string;

export function renderDownloadPage(page: DownloadPage): string {
  const { portal, environment, language } = page;
  const { toHtml, toPlain } = createTranslators(page);
  const packages = sortPackages(page);
  const [first] = packages;
  const note = environment === 'beta' ? `<p class="note">${toHtml('beta')}</p>\n` : '';
  const elsewhere = page.visitorHasWindows === false ? `<p class="note">${toHtml('elsewhere')}</p>\n` : '';
  const content =
    first === undefined
      ? `<p class="card">${toHtml('none')}</p>\n`
      : `<p>${toHtml('intro')}</p>\n${elsewhere}${note}` +
        packages.map((each) => renderPackage(page, each, toHtml)).join('') +
        renderHelp(first, toHtml);
  return renderPage({
    language,
    title: toPlain('title', { portal }),
    heading: toHtml('title', { portal }),
    content: `${content}${renderLanguages(language, toPlain('languages'))}`,
    hasLogo: true,
  });
}

function createTranslators({ texts, language }: DownloadPage): {
  readonly toHtml: Translate;
  readonly toPlain: Translate;
} {
  const find = (key: string): PageText => {
    const found = texts.get(key);
    if (found === undefined) throw new Error(`the download page has no text ${key}`);
    return found;
  };
  return {
    toPlain: (key, values = {}) => fillPlaceholders(find(key).text, values),
    toHtml: (key, values = {}) => {
      const { text, language: own } = find(key);
      const html = escapeHtml(fillPlaceholders(text, values));
      // Screen readers need the language of the text (WCAG 2.2, 3.1.2).
      return own === language ? html : `<span lang="${own}">${html}</span>`;
    },
  };
}

/** The package for the visitor's computer comes first; if it is not known, x64, which most computers have. */
function sortPackages({ packages, visitorArchitecture }: DownloadPage): ReleasedPackage[] {
  const rank = ({ architecture }: ReleasedPackage): number =>
    architecture === visitorArchitecture ? -1 : architectures.indexOf(architecture);
  return packages.toSorted((a, b) => rank(a) - rank(b));
}

function renderPackage(page: DownloadPage, released: ReleasedPackage, toHtml: Translate): string {
  const { architecture, version, releasedOn, size, sha256 } = released;
  const { language, visitorArchitecture } = page;
  const formattedSize = formatSize(size, language);
  const fits = architecture === visitorArchitecture ? `<p><span class="fits">${toHtml('yours')}</span></p>\n` : '';
  const facts = [
    ['version', escapeHtml(version)],
    ['released', `<time datetime="${releasedOn}">${escapeHtml(formatDate(releasedOn, language))}</time>`],
    ['size', escapeHtml(formattedSize)],
    // In capital letters, as PowerShell prints it.
    ['fingerprint', `<code>${sha256.toUpperCase()}</code>`],
  ].map(([key = '', value = '']) => `<dt>${toHtml(key)}</dt><dd>${value}</dd>\n`);
  return (
    `<section class="card" aria-labelledby="${architecture}">\n<h2 id="${architecture}">${toHtml(architecture)}</h2>\n${fits}` +
    `<div class="actions"><a class="button" href="${installerPath(architecture)}">${toHtml('install', { architecture })}</a>\n` +
    `<a href="${escapeHtml(packagePath(released))}">${toHtml('package', { size: formattedSize })}</a></div>\n` +
    `<dl>\n${facts.join('')}</dl>\n</section>\n`
  );
}

function renderHelp({ fileName }: ReleasedPackage, toHtml: Translate): string {
  const steps = ['step1', 'step2', 'step3'].map((key) => `<li>${toHtml(key)}</li>\n`);
  return (
    `<section class="help" aria-labelledby="steps">\n<h2 id="steps">${toHtml('stepsTitle')}</h2>\n<ol>\n${steps.join('')}</ol>\n</section>\n` +
    `<section class="help" aria-labelledby="which">\n<h2 id="which">${toHtml('whichTitle')}</h2>\n<p>${toHtml('which')}</p>\n</section>\n` +
    `<section class="help" aria-labelledby="check">\n<h2 id="check">${toHtml('checkTitle')}</h2>\n<p>${toHtml('check')}</p>\n` +
    `<p><code class="command">Get-FileHash ${escapeHtml(`.\\${fileName}`)}</code></p>\n</section>\n`
  );
}

/** The name of each language in itself: `Dansk`. */
const languageNames: readonly (readonly [Language, string])[] = languages.map((language) => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return [language, name.charAt(0).toLocaleUpperCase(language) + name.slice(1)];
});

function renderLanguages(shown: Language, label: string): string {
  const links = languageNames.map(([language, name]) => {
    const current = language === shown ? ' aria-current="true"' : '';
    return `<li><a href="/download?Language=${language}" hreflang="${language}" lang="${language}"${current}>${escapeHtml(name)}</a></li>\n`;
  });
  return `<nav class="help" aria-label="${escapeHtml(label)}">\n<ul class="languages">\n${links.join('')}</ul>\n</nav>\n`;
}

/** A text, and the language that it is in. */
type PageText = { readonly text: string; readonly language: Language };

type Texts = Readonly<Record<string, { readonly da: string } & { readonly [language in Language]?: string }>>;

/** A text that a language lacks is shown in Danish, and marked as Danish. */
export function downloadPageTexts(language: Language, texts: Texts = appDownload): ReadonlyMap<string, PageText> {
  const find = ({ da, [language]: text }: Texts[string]): PageText =>
    text === undefined ? { text: da, language: 'da' } : { text, language };
  return new Map(Object.entries(texts).map(([key, text]) => [key, find(text)]));
}
