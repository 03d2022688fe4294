// Receipts as a page to print: what the JSON has, in the language of the reader, and one receipt by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../src/lib/text/language.ts';
import { attributeOf, elementsBelow, readHtml, textOf, type HtmlElement } from '../documents/support/read-formats.ts';
import { postingDraft, recordInBoth } from '../support/account-reads.ts';
import type { BankModel } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';
import { fetchReceiptsPage, userKidOf } from './support/receipts.ts';

const residentName = 'Asta <b>Example</b>';

const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2212', '-');
const sectionsOf = (html: string): HtmlElement[] => readHtml(html).filter(({ tagName }) => tagName === 'section');
const amountsIn = (section: HtmlElement): string[] =>
  elementsBelow(section)
    .filter((each) => each.tagName === 'td' && attributeOf(each, 'class') === 'number')
    .map((cell) => plain(textOf(cell)));

/** An amount of kroner in English, made from its digits. */
function inEnglish(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}DKK ${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`;
}

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;

  async function bookOf(receipts: number): Promise<BankModel> {
    const book = await newBank(suite, { residents: new Map([[1001, { name: residentName, expiredAt: null }]]) });
    const drafts = Array.from({ length: receipts }, (_, at) => [
      postingDraft(testNow - at * dayMs, { amountMinor: -1250n, text: `Wash ${at} & dry` }),
      postingDraft(testNow - at * dayMs - 1, { amountMinor: -9_007_199_254_740_993n, text: 'Soap' }),
    ]).flat();
    await recordInBoth(service, book, drafts);
    return book;
  }
  const read = (book: BankModel, query = '', language = 'en') =>
    service.call('GET', `/api/v1/users/${userKidOf(book)}/receipts.html${query === '' ? '' : `?${query}`}`, {
      ...manager,
      headers: { 'accept-language': language },
    });

  test('[receipts.32] the page has the resident and every receipt, line, total and balance of the JSON, exactly', async () => {
    const book = await bookOf(2);
    const { items } = await fetchReceiptsPage(service, manager.token, userKidOf(book));
    const { status, headers, text } = await read(book);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [headers['content-type'], headers['content-language'], headers['cache-control']],
      ['text/html; charset=utf-8', 'en', 'no-store'],
    );
    const sections = sectionsOf(text);
    assert.equal(sections.length, items.length);
    for (const [at, { lines, totalMinor, balanceAfterMinor }] of items.entries()) {
      const amounts = [...lines.map(({ amountMinor }) => amountMinor), totalMinor, balanceAfterMinor];
      assert.deepEqual(
        amountsIn(sections[at] ?? assert.fail()),
        amounts.map((minor) => inEnglish(minor)),
      );
    }
    assert.ok(readHtml(text).some((each) => each.tagName === 'dd' && textOf(each) === residentName));
    assert.match(text, /Wash 0 &amp; dry/);
  });

  test('[receipts.32] a page read again a minute later is 304, and complete again once there is another receipt', async () => {
    const book = await bookOf(1);
    const { etag = '' } = (await read(book)).headers;
    const readAgain = () =>
      service.call('GET', `/api/v1/users/${userKidOf(book)}/receipts.html`, {
        ...manager,
        headers: { 'accept-language': 'en', 'if-none-match': etag },
      });
    suite.clock.now += 60_000;
    const unchanged = await readAgain();
    assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag]);
    await recordInBoth(service, book, [postingDraft(testNow + 1, { amountMinor: -100n, text: 'Dry' })]);
    const changed = await readAgain();
    assert.equal(changed.status, 200);
  });

  test('[receipts.32] a key prints one receipt of the page; a key that is not on it is 404', async () => {
    const book = await bookOf(3);
    const { items } = await fetchReceiptsPage(service, manager.token, userKidOf(book));
    const [, second] = items;
    const { text } = await read(book, `key=${encodeURIComponent(second?.key ?? '')}`);
    assert.deepEqual(sectionsOf(text).length, 1);
    assert.match(text, /<h1>Receipt<\/h1>/);
    assert.match(text, /Wash 1 &amp; dry/);
    const missing = await read(book, 'key=none');
    assert.deepEqual([missing.status, missing.json.code], [404, 'not-found']);
  });

  test('[receipts.32] the second page continues the first by its offset and revision, and the last says nothing of more', async () => {
    const book = await bookOf(21);
    const { nextOffset, revision } = await fetchReceiptsPage(service, manager.token, userKidOf(book));
    const [first, second] = [await read(book), await read(book, `offset=${nextOffset}&revision=${revision}`)];
    assert.deepEqual([sectionsOf(first.text).length, sectionsOf(second.text).length], [20, 1]);
    assert.match(first.text, /There are older receipts/);
    assert.doesNotMatch(second.text, /There are older receipts/);
    assert.equal((await read(book, `offset=${nextOffset}&revision=${revision.replaceAll(/./g, 'A')}`)).status, 409);
  });

  test('[receipts.32] each of the ten languages has a page of its own, whose lang is its own', async () => {
    const book = await bookOf(1);
    const titles = new Set<string>();
    for (const language of languages) {
      const elements = readHtml((await read(book, '', language)).text);
      const [html] = elements.filter(({ tagName }) => tagName === 'html');
      assert.equal(html && attributeOf(html, 'lang'), language);
      titles.add(
        elements
          .filter(({ tagName }) => tagName === 'dt' || tagName === 'h1')
          .map(textOf)
          .join(),
      );
    }
    assert.equal(titles.size, languages.length);
  });

  test('[receipts.32] a resident without receipts has a page that says so', async () => {
    const { status, text } = await read(await bookOf(0));
    assert.equal(status, 200, text);
    assert.match(text, /There are no receipts\./);
  });
});
