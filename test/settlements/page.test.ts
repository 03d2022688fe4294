// A settlement as a page to print: its figures are those of the JSON, in the language of the reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../src/lib/text/language.ts';
import { attributeOf, elementsBelow, readHtml, textOf, type HtmlElement } from '../documents/support/read-formats.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import type { BankModel } from '../support/account-oracle.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { fetchSettlements, settlementsPath, type SettlementTotal } from '../support/settlements.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

type Detail = {
  totals: SettlementTotal[];
  locations: { name: string; totals: SettlementTotal[] }[];
  kinds: { kind: string; totals: SettlementTotal[] }[];
};

const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2212', '-');

/** The cells of the body of each table. */
const tablesOf = (html: string): string[][][] =>
  readHtml(html)
    .filter(({ tagName }) => tagName === 'tbody')
    .map((body) =>
      elementsBelow(body)
        .filter(({ tagName }) => tagName === 'tr')
        .map((row) =>
          elementsBelow(row)
            .filter(isCell)
            .map((cell) => plain(textOf(cell))),
        ),
    );

const isCell = ({ tagName }: HtmlElement): boolean => tagName === 'th' || tagName === 'td';

/** An amount of kroner or euros in Danish, made from its digits. */
function inDanish(minor: bigint, currency: string): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${minor < 0n ? '-' : ''}${whole},${digits.slice(-2)} ${currency}`;
}

const cellsOf = (name: string | undefined, totals: readonly SettlementTotal[]): string[][] =>
  totals.map(({ currency, count, debitMinor, creditMinor, amountMinor }) => [
    name ?? currency ?? '',
    String(count),
    ...[debitMinor, creditMinor, amountMinor].map((minor) => inDanish(minor, currency ?? '')),
  ]);

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;

  async function settledBook(): Promise<BankModel> {
    const book = await newBank(suite, { openedAt: testNow - 30 * dayMs });
    await recordInBoth(
      service,
      book,
      [123_456n, -9_007_199_254_740_993n, -50n, 4n].map((amountMinor, at) =>
        postingDraft(testNow - dayMs - at, {
          amountMinor,
          currency: at === 3 ? 'EUR' : 'DKK',
          locationId: at % 2 === 0 ? 1 : 2,
          kind: at === 0 ? 'Payment' : 'Consumption',
        }),
      ),
    );
    await closePeriodInBoth(service, book, testNow - 1000);
    return book;
  }
  const read = (book: BankModel, period: number, language: string) =>
    service.call('GET', settlementsPath(book, `/${period}/settlement.html`), {
      ...manager,
      headers: { 'accept-language': language },
    });

  test('a settlement read again a minute later is 304, and complete again once there is another posting', async () => {
    const book = await settledBook();
    const path = `${settlementsPath(book)}/0/settlement.html`;
    const { etag = '' } = (await service.call('GET', path, manager)).headers;
    const readAgain = () => service.call('GET', path, { ...manager, headers: { 'if-none-match': etag } });
    suite.clock.now += 60_000;
    const unchanged = await readAgain();
    assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag]);
    await recordInBoth(service, book, [postingDraft(testNow + 1, { amountMinor: -100n, text: 'Dry' })]);
    assert.equal((await readAgain()).status, 200);
  });

  test('[settlements.11] the page has every figure of the period by location and kind, exactly', async () => {
    const book = await settledBook();
    const { totals, locations, kinds } = await fetchSettlements<Detail>(
      service,
      manager.token,
      settlementsPath(book, '/1'),
    );
    const { status, headers, text } = await read(book, 1, 'da');
    assert.equal(status, 200, text);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['content-language'], 'da');
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    assert.match(String(headers['content-disposition']), /^inline; filename="sund-B\d+-settlement-1\.html"/);
    const danishKinds: Readonly<Record<string, string>> = { Consumption: 'Forbrug', Payment: 'Betaling' };
    assert.deepEqual(tablesOf(text), [
      cellsOf(undefined, totals),
      locations.flatMap(({ name, totals: own }) => cellsOf(name, own)),
      kinds.flatMap(({ kind, totals: own }) => cellsOf(danishKinds[kind], own)),
    ]);
    assert.ok(plain(text).includes('-90.071.992.547.409,93 DKK'));
  });

  test('[settlements.11] each of the ten languages has a page of its own, whose lang is its own', async () => {
    const book = await settledBook();
    const titles = new Set<string>();
    for (const language of languages) {
      const { text } = await read(book, 1, language);
      const elements = readHtml(text);
      const [html] = elements.filter(({ tagName }) => tagName === 'html');
      assert.equal(html && attributeOf(html, 'lang'), language);
      titles.add(
        elements
          .filter(({ tagName }) => tagName === 'h2')
          .map(textOf)
          .join(),
      );
    }
    assert.equal(titles.size, languages.length);
  });

  test('[settlements.11] the current period is provisional; one without postings says so', async () => {
    const book = await settledBook();
    const { text } = await read(book, 0, 'en');
    assert.match(text, /Current settlement period/);
    assert.match(text, /Provisional: the period is still open\./);
    assert.match(text, /There are no postings in this period\./);
    assert.equal((await read(book, 7, 'en')).status, 404);
  });

  test('[settlements.11] the page fits a phone, without sideways scrolling', { skip: noBrowser }, async () => {
    const { text } = await read(await settledBook(), 1, 'de');
    const browser = await openBrowser();
    try {
      const frame = `<iframe width="390" height="844" style="border:0" srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
      const widths = await browser.evaluate(
        `(async () => {
          const frame = document.querySelector('iframe');
          while (frame.contentDocument.querySelector('main') === null) await new Promise((done) => setTimeout(done, 20));
          const { clientWidth, scrollWidth } = frame.contentDocument.documentElement;
          return [clientWidth, scrollWidth];
        })()`,
        frame,
      );
      assert.deepEqual(widths, [390, 390]);
    } finally {
      await browser.close();
    }
  });
});
