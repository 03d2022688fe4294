// Makes pages to read on a screen and to print on A4 paper, without scripts, in the language of their reader.

import printedPages from '../../../locales/printed-pages.json' with { type: 'json' };
import { createStylePolicy } from './style-policy.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { fillPlaceholders, localisedTexts, type Language } from '../text/language.ts';

const style = `
@page { size: A4 portrait; margin: 14mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #4a5360; } }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; color: #16202b; background: #fff; }
@media print { body { font-size: 11px; } }
@media screen { main { max-width: 800px; margin: 24px auto; padding: 0 16px; box-sizing: border-box; } }
h1 { font-size: 1.5em; line-height: 1.2; margin: 0 0 2px; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; margin: 20px 0 6px; break-after: avoid; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
header { border-bottom: 2px solid #16202b; padding-bottom: 8px; margin-bottom: 12px; }
dl { margin: 8px 0 0; display: grid; grid-template-columns: max-content 1fr; gap: 1px 16px; }
dt { color: #4a5360; }
dd { margin: 0; overflow-wrap: anywhere; }
.note { margin: 8px 0; font-weight: 600; }
.scroll { overflow-x: auto; }
@media print { .scroll { overflow: visible; } }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; }
th, td { padding: 3px 8px 3px 0; text-align: left; vertical-align: top; }
thead th { border-bottom: 1.5px solid #16202b; font-weight: 600; }
tbody tr { border-bottom: 1px solid #c9d0d8; }
tbody th { font-weight: 400; }
.wide tbody th { min-width: 7em; }
tfoot th, tfoot td { font-weight: 600; }
.number { text-align: right; white-space: nowrap; padding: 3px 0 3px 8px; }
section { break-inside: avoid; }
@media screen and (max-width: 480px) { body { font-size: 12px; } .wide th:first-child { position: sticky; left: 0; background: #fff; } }
.receipt { border: 1px solid #8893a0; border-radius: 4px; padding: 0 12px 12px; margin: 0 0 16px; }
`;

/** For the header Content-Security-Policy: only the style of these pages. */
export const printedPageSecurityPolicy = createStylePolicy(style);

type PrintedPage = {
  readonly language: Language;
  /** Plain text. */
  readonly title: string;
  /** Names and values, as HTML. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** HTML. */
  readonly content: string;
};

export const renderPrintedPage = ({ language, title, facts, content }: PrintedPage): string =>
  `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">' +
  `<style>${style}</style></head><body><main><header><h1>${escapeHtml(title)}</h1>${renderFacts(facts)}</header>` +
  `${content}</main></body></html>\n`;

/** Names and values, as HTML. */
export const renderFacts = (facts: PrintedPage['facts']): string =>
  `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;

type PrintedTable = {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The sums below the last column. */
  readonly foot?: readonly (readonly [name: string, value: string])[];
  /** So many columns at the end hold numbers. */
  readonly numberColumns: number;
};

/** A table of cells, as HTML. The first of each row names it. */
export function renderPrintedTable({ headings, rows, foot = [], numberColumns }: PrintedTable): string {
  const firstNumber = headings.length - numberColumns;
  const classAt = (column: number): string => (column >= firstNumber ? ' class="number"' : '');
  const head = headings.map((text, index) => `<th scope="col"${classAt(index)}>${text}</th>`);
  const row = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell, index) => (index === 0 ? `<th scope="row">${cell}</th>` : `<td${classAt(index)}>${cell}</td>`)).join('')}</tr>`;
  const sum = ([name, value]: readonly [string, string]): string =>
    `<tr><th scope="row" colspan="${headings.length - 1}">${name}</th><td class="number">${value}</td></tr>`;
  const renderedFoot = foot.length === 0 ? '' : `<tfoot>${foot.map(sum).join('')}</tfoot>`;
  const widthClass = numberColumns > 1 ? ' wide' : '';
  return `<div class="scroll${widthClass}" tabindex="0"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.map(row).join('')}</tbody>${renderedFoot}</table></div>`;
}

/** Finds a text of these pages by its key, as plain text. */
type SayPlain = (key: string, values?: Readonly<Record<string, string | number>>) => string;

const textsByLanguage = localisedTexts(printedPages);

export function createSayPlain(language: Language): SayPlain {
  const texts = textsByLanguage[language];
  return (key, values = {}) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`the printed pages have no text ${key}`);
    return fillPlaceholders(text, values);
  };
}
