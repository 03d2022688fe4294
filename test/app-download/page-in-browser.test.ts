// The download page in a browser without scripts, in all ten languages: its policy refuses nothing, nothing overflows
// on the narrowest screens, and every control is large enough and reachable by keyboard.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright-core';
import { languages } from '../../src/lib/text/language.ts';
import { noBrowser } from '../support/browser.ts';
import { findProgram } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';

const { service, started } = serviceFixture('sqlite', { demo: true, manager: false });

/** The width to which 1280 CSS pixels shrink at 400 % (WCAG 2.2, 1.4.10). */
const narrowest = 320;
/** Pixels (WCAG 2.2, 2.5.8). */
const leastTarget = 24;

describe('the download page in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    await started;
    const executablePath = findProgram('chromium') ?? '';
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.localhost 127.0.0.1'];
    browser = await chromium.launch({ executablePath, args });
  });
  after(() => browser.close());

  type View = {
    readonly language: string;
    readonly width?: number;
    readonly scheme?: 'light' | 'dark';
    readonly host?: string;
  };

  /** Opens the page without scripts; `complaints` is what the browser has against it. */
  async function visit<T>(
    { language, width = 1000, scheme = 'light', host = 'api' }: View,
    look: (page: Page) => Promise<T>,
  ) {
    const viewport = { width, height: 800 };
    const context = await browser.newContext({
      locale: language,
      viewport,
      colorScheme: scheme,
      javaScriptEnabled: false,
    });
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('requestfailed', (request) => complaints.push(request.url()));
      page.on('response', (response) => void (response.status() >= 400 && complaints.push(response.url())));
      await page.goto(`http://${host}.sund.localhost:${service.port}/download`);
      return { value: await look(page), complaints };
    } finally {
      await context.close();
    }
  }

  const widthsOf = (page: Page): Promise<{ content: number; window: number }> =>
    page.evaluate('({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })');

  for (const language of languages) {
    test(`[download.02] is shown completely in ${language}, on wide screens and on narrow ones`, async () => {
      const views = [
        { width: 1000, scheme: 'light' },
        { width: narrowest, scheme: 'dark' },
      ] as const;
      for (const { width, scheme } of views) {
        const { value, complaints } = await visit({ language, width, scheme }, async (page) => ({
          language: await page.evaluate('document.documentElement.lang'),
          widths: await widthsOf(page),
          targets: await page.evaluate<{ width: number; height: number }[]>(
            '[...document.links].map((link) => link.getBoundingClientRect()).map(({ width, height }) => ({ width, height }))',
          ),
          hasImage: await page.evaluate('[...document.images].every((image) => image.naturalWidth > 0)'),
        }));
        assert.deepEqual(complaints, []);
        assert.equal(value.language, language);
        assert.equal(value.widths.content, value.widths.window, `${width} pixels`);
        assert.equal(value.targets.length, 4 + languages.length);
        for (const target of value.targets) assert.ok(Math.min(target.width, target.height) >= leastTarget);
        assert.equal(value.hasImage, true);
      }
    });
  }

  test('says in a browser, too, that there is no release', async () => {
    const { value, complaints } = await visit({ language: 'de', host: 'beta.api' }, (page) => page.innerText('main'));
    assert.deepEqual(complaints, []);
    assert.match(value, /Hier gibt es noch keine Version der App/);
  });

  test('is read in order by the keyboard, and shows where it is', async () => {
    const { value } = await visit({ language: 'en' }, async (page) => {
      const focused: { href: string; outline: string }[] = [];
      for (let count = 0; count < 4; count += 1) {
        await page.keyboard.press('Tab');
        focused.push(
          await page.evaluate(
            '({ href: document.activeElement.getAttribute("href"), outline: getComputedStyle(document.activeElement).outlineStyle })',
          ),
        );
      }
      return focused;
    });
    assert.deepEqual(
      value,
      ['x64', 'arm64'].flatMap((architecture) =>
        ['portal.appinstaller', `Demo.Portal_1.4.2.0_${architecture}.msix`].map((file) => ({
          href: `/download/windows/${architecture}/${file}`,
          outline: 'solid',
        })),
      ),
    );
  });

  test('a screen reader gets its roles and names', async () => {
    const { value } = await visit({ language: 'en' }, async (page) => ({
      main: await page.getByRole('main').count(),
      regions: await page.getByRole('region').count(),
      headings: await page.getByRole('heading').allInnerTexts(),
      links: await page.getByRole('link').allInnerTexts(),
      images: await page.getByRole('img').count(),
    }));
    assert.deepEqual([value.main, value.regions, value.images], [1, 5, 0]);
    assert.equal(value.headings[0], 'Sund for Windows');
    assert.deepEqual(value.links.slice(0, 2), [
      'Download the installation file for x64',
      'Download only the package (3.3 kB)',
    ]);
  });

  test('the browser saves the package under its file name', async () => {
    const context = await browser.newContext({ acceptDownloads: true, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`http://api.sund.localhost:${service.port}/download`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('link', { name: /only the package/ })
        .first()
        .click(),
    ]);
    assert.equal(download.suggestedFilename(), 'Demo.Portal_1.4.2.0_x64.msix');
    assert.equal(await download.failure(), null);
    await context.close();
  });
});
