// Runs a headless Chromium, for checks that only a browser can do: whether a picture is well-formed, and how it looks.
// Tests that need it use `skip: noBrowser`: without a browser they are skipped and reported, and CI fails.

import { chromium, type Page } from 'playwright-core';
import { findProgram, reasonWithout } from './programs.ts';

const program = findProgram('chromium');

/** Why a test that needs a browser cannot run here; false if it can. */
export const noBrowser: string | false = reasonWithout('chromium');

export type ScreenshotOptions = {
  /** A CSS colour behind the picture; without it transparent parts stay transparent. */
  readonly background?: string;
};

export type Browser = {
  /** A PNG of that size: of an `<img>` with the SVG or the URL given, or of any other markup. */
  screenshot(picture: string, width: number, height: number, options?: ScreenshotOptions): Promise<Buffer>;
  /** The natural size of an `<img>`. */
  naturalSize(picture: string): Promise<{ width: number; height: number }>;
  /** The error of the browser's XML parser for a text; undefined if it is well-formed. */
  xmlError(text: string): Promise<string | undefined>;
  /** The value of an expression in a page with this markup, with or without the preference for reduced motion. */
  evaluate(expression: string, markup?: string, motion?: 'reduce' | 'no-preference'): Promise<unknown>;
  /** Opens a URL, and returns the value of an expression there and the browser's complaints about the page or its policies. */
  visit(url: string, expression: string): Promise<{ value: unknown; complaints: string[] }>;
  close(): Promise<void>;
};

export async function openBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error(String(noBrowser));
  const browser = await chromium.launch({ executablePath: program, args: browserArguments });
  const page = await browser.newPage();
  let lastUse: Promise<unknown> = Promise.resolve();

  /** One page for all, and for one at a time: opening one takes longer than showing a picture. */
  function inPage<T>(markup: string, use: () => Promise<T>): Promise<T> {
    const result = lastUse.then(async () => {
      await page.setContent(markup);
      // Rejects if one is not a picture.
      await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
      return use();
    });
    lastUse = result.catch(() => {});
    return result;
  }

  let lastVisit: Promise<unknown> = Promise.resolve();
  let visitedPage: Promise<Page> | undefined;
  const complaints: string[] = [];

  /** A page that records the browser's complaints. */
  async function openVisitedPage(): Promise<Page> {
    const visited = await browser.newPage();
    return visited
      .on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      .on('pageerror', ({ message }) => complaints.push(message))
      .on('requestfailed', (request) => complaints.push(request.url()))
      .on('dialog', (dialog) => {
        complaints.push(dialog.message());
        void dialog.dismiss();
      });
  }

  return {
    screenshot: (picture, width, height, { background } = {}) =>
      inPage(pageOf(picture, `width="${width}" height="${height}"`, background), async () => {
        await page.setViewportSize({ width, height });
        return page.screenshot({ omitBackground: background === undefined });
      }),
    naturalSize: (picture) =>
      inPage(pageOf(picture), () =>
        page.evaluate('({ width: document.images[0].naturalWidth, height: document.images[0].naturalHeight })'),
      ),
    xmlError: (text) =>
      inPage('', () => {
        const parsed = `new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml')`;
        return page.evaluate(`${parsed}.querySelector('parsererror')?.textContent`);
      }),
    evaluate: (expression, markup = '', motion = 'reduce') =>
      inPage(pageOf(`<div>${markup}</div>`), async () => {
        await page.emulateMedia({ reducedMotion: motion });
        return page.evaluate(expression);
      }),
    visit: (url, expression) => {
      const result = lastVisit.then(async () => {
        const visited = await (visitedPage ??= openVisitedPage());
        complaints.length = 0;
        await visited.goto(url);
        return { value: await visited.evaluate(expression), complaints: [...complaints] };
      });
      lastVisit = result.catch(() => {});
      return result;
    },
    close: () => browser.close(),
  };
}

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Animations are off. Only a setting of the whole browser affects pictures in an <img>.
  '--force-prefers-reduced-motion',
];

function pageOf(picture: string, size = '', background = 'transparent'): string {
  const style = `<style>body{margin:0;background:${background}}img{display:block}</style>`;
  if (picture.startsWith('<') && !picture.startsWith('<svg')) return `<!doctype html>${style}${picture}`;
  const data = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
  return `<!doctype html>${style}<img ${size} src="${picture.startsWith('<') ? data : picture}">`;
}
