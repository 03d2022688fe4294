// Renders a settlement period as a page to print: its totals, and those of each location and kind of posting.

import type { Static } from 'typebox';
import { escapeHtml } from '../../../lib/text/escape-html.ts';
import type { Language } from '../../../lib/text/language.ts';
import { createMoneyFormatter, formatCount, formatLocalTime } from '../../../lib/text/localised-values.ts';
import { createSayPlain, renderPrintedPage, renderPrintedTable } from '../../../lib/pages/printed-page.ts';
import type { SettlementPeriodDetail } from '../schemas.ts';

type SettlementPage = {
  readonly bankName: string;
  readonly timeZone: string;
  readonly language: Language;
  readonly printedAtUtc: string;
};

type Detail = Static<typeof SettlementPeriodDetail>;

export function renderSettlementPage(
  settlement: Detail,
  { bankName, timeZone, language, printedAtUtc }: SettlementPage,
): string {
  const sayPlain = createSayPlain(language);
  const say = (key: string): string => escapeHtml(sayPlain(key));
  const { period, provisional, fromUtc, throughUtc, closedAtUtc, totals, locations, kinds } = settlement;
  const timeFact = (key: string, utc: string | null): [string, string][] =>
    utc === null
      ? []
      : [[say(key), `<time datetime="${utc}">${escapeHtml(formatLocalTime(utc, timeZone, language))}</time>`]];
  const formatRows = createRowFormatter(language, say('unknownCurrency'));
  const amounts = ['count', 'debit', 'credit', 'sum'].map(say);
  const createTable = (heading: string, rows: readonly string[][]): string =>
    `<section><h2>${say(heading)}</h2>${renderPrintedTable({
      headings: [say(headingNames[heading] ?? heading), ...amounts],
      rows,
      numberColumns: amounts.length,
    })}</section>`;
  const sections = [
    createTable('totals', formatRows('', totals)),
    createTable(
      'byLocation',
      locations.flatMap(({ kid, name, totals: own }) =>
        formatRows(kid === null ? say('withoutLocation') : escapeHtml(name), own),
      ),
    ),
    createTable(
      'byKind',
      kinds.flatMap(({ kind, totals: own }) => formatRows(say(`kind.${kind}`), own)),
    ),
  ];
  return renderPrintedPage({
    language,
    title: provisional ? sayPlain('openPeriod') : sayPlain('settlementPeriod', { period }),
    facts: [
      [say('housingAssociation'), escapeHtml(bankName)],
      ...timeFact('from', fromUtc),
      ...timeFact('through', throughUtc),
      ...timeFact('closed', closedAtUtc),
      ...timeFact('asOf', printedAtUtc),
    ],
    content:
      (provisional ? `<p class="note">${say('provisional')}</p>` : '') +
      (totals.length === 0 ? `<p>${say('noPostings')}</p>` : sections.join('')),
  });
}

/** What the first column of a table holds. */
const headingNames: Readonly<Record<string, string>> = { totals: 'currency', byLocation: 'location', byKind: 'kind' };

/** One row for each currency; a row of the totals is named for its currency. */
function createRowFormatter(language: Language, unknownCurrency: string) {
  const money = createMoneyFormatter(language);
  return (name: string, totals: Detail['totals']): string[][] =>
    totals.map(({ currency, count, debitMinor, creditMinor, amountMinor }) => {
      const unit = currency === null ? unknownCurrency : currency;
      const label = name === '' ? unit : currency === null ? `${name} (${unknownCurrency})` : name;
      const amounts = [debitMinor, creditMinor, amountMinor].map((amount) => escapeHtml(money(amount, currency)));
      return [label, escapeHtml(formatCount(count, language)), ...amounts];
    });
}
