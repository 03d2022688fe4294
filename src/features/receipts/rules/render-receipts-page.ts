// Renders receipts as a page to print.

import { escapeHtml } from '../../../lib/text/escape-html.ts';
import type { Language } from '../../../lib/text/language.ts';
import {
  createMoneyFormatter,
  formatClockTime,
  formatDate,
  formatLocalTime,
} from '../../../lib/text/localised-values.ts';
import { createSayPlain, renderFacts, renderPrintedPage, renderPrintedTable } from '../../../lib/pages/printed-page.ts';
import type { Receipt } from '../schemas.ts';

type ReceiptsPage = {
  /** Whether it shows one receipt that was asked for. */
  readonly isSingle: boolean;
  readonly hasMore: boolean;
  readonly bankName: string;
  readonly residentName: string;
  readonly timeZone: string;
  readonly language: Language;
  readonly printedAtUtc: string;
};

export function renderReceiptsPage(receipts: readonly Receipt[], page: ReceiptsPage): string {
  const { language, printedAtUtc, timeZone } = page;
  const sayPlain = createSayPlain(language);
  const say = (key: string): string => escapeHtml(sayPlain(key));
  const printedAt = escapeHtml(formatLocalTime(printedAtUtc, timeZone, language));
  const formatter = createReceiptFormatter(language, say);
  const notes = [
    ...(receipts.length === 0 ? [`<p>${say('noReceipts')}</p>`] : []),
    ...(page.hasMore ? [`<p class="note">${say('moreReceipts')}</p>`] : []),
  ];
  return renderPrintedPage({
    language,
    title: sayPlain(page.isSingle ? 'receipt' : 'receipts'),
    facts: [
      [say('housingAssociation'), escapeHtml(page.bankName)],
      [say('resident'), escapeHtml(page.residentName)],
      [say('asOf'), `<time datetime="${printedAtUtc}">${printedAt}</time>`],
    ],
    content: receipts.map(formatter).join('') + notes.join(''),
  });
}

type Say = (key: string) => string;

function createReceiptFormatter(language: Language, say: Say): (receipt: Receipt) => string {
  const money = createMoneyFormatter(language);
  return (receipt) => {
    const { kind, date, locationName, period, provisional, currency, lines } = receipt;
    const format = (minor: Receipt['totalMinor']): string => escapeHtml(money(minor, currency));
    const facts: [string, string][] = [
      [say('date'), `<time datetime="${date}">${escapeHtml(formatDate(date, language))}</time>`],
      ...(locationName === '' ? [] : [[say('location'), escapeHtml(locationName)] as [string, string]]),
      [say('period'), provisional ? say('currentPeriod') : String(period)],
      ...(currency === null ? [[say('currency'), say('unknownCurrency')] as [string, string]] : []),
    ];
    const table = renderPrintedTable({
      headings: ['time', 'unit', 'description', 'amount'].map(say),
      rows: lines.map(({ occurredAt, unitName, texts, amountMinor, calculated }) => [
        `<time datetime="${occurredAt}">${escapeHtml(formatClockTime(occurredAt, language))}</time>`,
        escapeHtml(unitName),
        calculated ? say('calculated') : escapeHtml(texts.join(', ')),
        format(amountMinor),
      ]),
      foot: [
        [say('total'), format(receipt.totalMinor)],
        ...(receipt.vatMinor === null ? [] : [[say('vat'), format(receipt.vatMinor)] as [string, string]]),
        [say('balanceAfter'), format(receipt.balanceAfterMinor)],
      ],
      numberColumns: 1,
    });
    return `<section class="receipt"><h2>${say(`receiptKind.${kind}`)}</h2>${renderFacts(facts)}${table}</section>`;
  };
}
