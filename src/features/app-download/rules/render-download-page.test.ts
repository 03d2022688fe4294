// Checks the page with an HTML parser: texts in other languages are marked, and no text becomes markup.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { released } from '../../../../test/app-download/support/released-package.ts';
import appDownload from '../../../../locales/app-download.json' with { type: 'json' };
import { attributeOf, readHtml, textOf } from '../../../../test/documents/support/read-formats.ts';
import { languages } from '../../../lib/text/language.ts';
import { downloadPageTexts, renderDownloadPage, type DownloadPage } from './render-download-page.ts';

const page: DownloadPage = {
  portal: 'Sund',
  environment: 'production',
  language: 'pl',
  texts: downloadPageTexts('pl'),
  packages: [released, { ...released, architecture: 'arm64' }],
  visitorArchitecture: undefined,
  visitorHasWindows: undefined,
};

test('[download.02] a text that is missing in one language is shown in Danish, and marked as Danish', () => {
  const { step1, version, title, ...others } = appDownload;
  const lacking = Object.entries({ title, version, step1 }).map(([key, { pl: _pl, ...text }]) => [key, text]);
  const texts = downloadPageTexts('pl', { ...others, ...Object.fromEntries(lacking) });
  const elements = readHtml(renderDownloadPage({ ...page, texts }));
  const danish = elements.filter(
    (element) => attributeOf(element, 'lang') === 'da' && attributeOf(element, 'hreflang') === undefined,
  );
  assert.deepEqual(danish.map(textOf), ['Sund til Windows', 'Version', 'Version', 'Hent installationsfilen.']);
  assert.ok(danish.every(({ tagName }) => tagName === 'span'));
  const html = elements.find(({ tagName }) => tagName === 'html');
  assert.equal(html && attributeOf(html, 'lang'), 'pl');
  assert.ok(elements.some((element) => textOf(element) === 'Jak zainstalować aplikację'));
});

test('every text of every language is on the page, and no placeholder is left', () => {
  for (const language of languages) {
    const texts = downloadPageTexts(language);
    const shown = [
      renderDownloadPage({
        ...page,
        language,
        texts,
        environment: 'beta',
        visitorArchitecture: 'arm64',
        visitorHasWindows: false,
      }),
      renderDownloadPage({ ...page, language, texts, packages: [] }),
    ].map((html) =>
      readHtml(html)
        .flatMap((element) => [textOf(element), attributeOf(element, 'aria-label') ?? ''])
        .join('\n'),
    );
    for (const [key, { text, language: own }] of texts) {
      assert.equal(own, language, key);
      const [longest = ''] = text.split(/\{\w+\}/).toSorted((a, b) => b.length - a.length);
      assert.ok(
        shown.some((each) => each.includes(longest.trim())),
        `${language} ${key}`,
      );
    }
    assert.doesNotMatch(shown.join(), /\{\w+\}/);
  }
});

test('no text becomes markup', () => {
  const hostile = '"><script>alert(1)</script>&amp;';
  const elements = readHtml(renderDownloadPage({ ...page, portal: hostile }));
  assert.deepEqual(
    elements.filter(({ tagName }) => tagName === 'script'),
    [],
  );
  const [heading] = elements.filter(({ tagName }) => tagName === 'h1').map(textOf);
  assert.ok(heading?.startsWith(hostile));
});

test('the headings form an outline, each section has one, and each link has its target', () => {
  const elements = readHtml(renderDownloadPage(page));
  const levels = elements.flatMap(({ tagName }) => /^h(\d)$/.exec(tagName)?.[1] ?? []);
  assert.deepEqual(levels, ['1', '2', '2', '2', '2', '2']);
  const ids = new Set(elements.map((element) => attributeOf(element, 'id')));
  for (const section of elements.filter(({ tagName }) => tagName === 'section'))
    assert.ok(ids.has(attributeOf(section, 'aria-labelledby')));
  assert.deepEqual(
    elements.filter(({ tagName }) => tagName === 'a').map((element) => attributeOf(element, 'href')),
    [
      ...['x64', 'arm64'].flatMap((architecture) => [
        `/download/windows/${architecture}/portal.appinstaller`,
        `/download/windows/${architecture}/${released.fileName}`,
      ]),
      ...languages.map((language) => `/download?Language=${language}`),
    ],
  );
});

test('the page leads to itself in each language, by the name that its speakers use', () => {
  const links = readHtml(renderDownloadPage(page)).filter((element) => attributeOf(element, 'hreflang') !== undefined);
  assert.deepEqual(
    links.map((element) => [attributeOf(element, 'lang'), textOf(element)]),
    [
      ['da', 'Dansk'],
      ['en', 'English'],
      ['sv', 'Svenska'],
      ['nb', 'Norsk bokmål'],
      ['fi', 'Suomi'],
      ['is', 'Íslenska'],
      ['de', 'Deutsch'],
      ['nl', 'Nederlands'],
      ['fr', 'Français'],
      ['pl', 'Polski'],
    ],
  );
  const current = links.filter((element) => attributeOf(element, 'aria-current') === 'true');
  assert.deepEqual(current.map(textOf), ['Polski']);
});

test('the fingerprint is in capital letters, as PowerShell prints it', () => {
  const codes = readHtml(renderDownloadPage(page)).filter(({ tagName }) => tagName === 'code');
  assert.equal(codes[0] && textOf(codes[0]), 'AB'.repeat(32));
});

test('only visitors without Windows are told to open the page on a computer with Windows', () => {
  const texts = downloadPageTexts('en');
  for (const visitorHasWindows of [true, false, undefined]) {
    const html = renderDownloadPage({ ...page, language: 'en', texts, visitorHasWindows });
    assert.equal(html.includes('Open this page on a computer with Windows'), visitorHasWindows === false);
  }
});
