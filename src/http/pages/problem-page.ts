// Renders a problem as a page for people: what it means, what they can do, and everything that the JSON says.

import pages from '../../../locales/pages.json' with { type: 'json' };
import { escapeHtml } from '../../lib/text/escape-html.ts';
import { localisedTexts, type Language } from '../../lib/text/language.ts';
import { renderPage } from '../../lib/pages/render-page.ts';

type ProblemPage = {
  readonly language: Language;
  /** The members of the JSON (RFC 9457). */
  readonly problem: Readonly<Record<string, unknown>> & { readonly status: number; readonly code: string };
  /** The host belongs to a tenant: it has a start page and a logo. */
  readonly hasStartPage: boolean;
};

const texts = localisedTexts(pages);

/** The keys of the texts that say what a problem means, and what the reader can do. */
type Explanation = readonly [title: string, advice: string];

const explanationsByCode: Readonly<Record<string, Explanation>> = {
  'unknown-host': ['unknownHost', 'spellingAdvice'],
  'unknown-route': ['unknownRoute', 'spellingAdvice'],
};

const explanationsByStatus: Readonly<Record<number, Explanation>> = {
  401: ['unauthenticated', 'unauthenticatedAdvice'],
  403: ['forbidden', 'forbiddenAdvice'],
  404: ['notFound', 'notFoundAdvice'],
  429: ['tooManyRequests', 'waitAdvice'],
  503: ['unavailable', 'waitAdvice'],
};

function explain({ status, code }: ProblemPage['problem']): Explanation {
  const explanation = explanationsByCode[code] ?? explanationsByStatus[status];
  if (explanation !== undefined) return explanation;
  return status >= 500 ? ['failed', 'failedAdvice'] : ['refused', 'refusedAdvice'];
}

export function renderProblemPage({ language, problem, hasStartPage }: ProblemPage): string {
  const textOf = (key: string): string => texts[language].get(key) ?? key;
  const [title, advice] = explain(problem);
  const { type: _type, title: _title, ...facts } = problem;
  const start = hasStartPage ? `<p><a class="button" href="/">${escapeHtml(textOf('start'))}</a></p>\n` : '';
  return renderPage({
    language,
    title: textOf(title),
    hasLogo: hasStartPage,
    content:
      `<p>${escapeHtml(textOf(advice))}</p>\n${start}` +
      `<section class="card" aria-labelledby="details">\n<h2 id="details">${escapeHtml(textOf('details'))}</h2>\n` +
      `<dl lang="en">\n${Object.entries(facts).map(renderFact).join('')}</dl>\n</section>\n`,
  });
}

const renderFact = ([name, value]: [string, unknown]): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>\n`;
};
