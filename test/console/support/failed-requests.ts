// Fails requests of a page as a network, a proxy or the service would, and tells what a screen says.

import type { Page, Route } from 'playwright-core';

/** An answer in place of the service's own; `cut` is none at all. */
export const failures = {
  cut: undefined,
  401: undefined,
  403: { code: 'forbidden', reason: 'missing-bank-read' },
  409: { code: 'busy-conflict' },
  429: { code: 'rate-limited' },
  503: { code: 'storage-unavailable' },
} as const;

export type Failure = keyof typeof failures;

export const failureNames = ['cut', '401', '403', '409', '429', '503'] as const;

type FailedAnswer = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

function answerOf(failure: Exclude<(typeof failureNames)[number], 'cut'>): FailedAnswer {
  const problem = failures[failure];
  const status = Number(failure);
  const body = { type: 'about:blank', title: 'Made to fail', status, detail: 'A test has made this fail.', ...problem };
  const headers = { 'x-request-id': '00000000-0000-4000-8000-000000000000', 'retry-after': '1' };
  return problem === undefined
    ? { status, headers, body: '' }
    : { status, headers: { ...headers, 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

export const failRequest = (route: Route, failure: (typeof failureNames)[number]): Promise<void> =>
  failure === 'cut' ? route.abort() : route.fulfill(answerOf(failure));

export type RequestFaults = {
  /** The requests of the service's operations since `begin`, as method, path and query. */
  readonly seen: readonly string[];
  /** Counts from the next request on, and fails the one of this number; none without one. */
  begin(at?: number, failure?: (typeof failureNames)[number]): void;
};

/**
 * Requests fail inside the page: a route outside of it would turn off the caches of the browser, and each of the hundreds
 * of loads would take twice the processor time. Icons are pictures of the page, and no requests of an operation.
 */
export async function installFaults(page: Page): Promise<RequestFaults> {
  const seen: string[] = [];
  let failAt = -1;
  let failWith: (typeof failureNames)[number] = 'cut';
  await page.exposeFunction('takeFault', (request: string): FailedAnswer | 'cut' | undefined => {
    seen.push(request);
    if (seen.length - 1 !== failAt) return undefined;
    return failWith === 'cut' ? 'cut' : answerOf(failWith);
  });
  await page.addInitScript(`(() => {
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith('/api/v1/') || pathname.startsWith('/api/v1/icon/')) return send(request);
      const fault = await window.takeFault(request.method + ' ' + pathname + search);
      if (fault === 'cut') throw new TypeError('Failed to fetch');
      return fault ? new Response(fault.body, fault) : send(request);
    };
  })()`);
  return {
    seen,
    begin: (at = -1, failure = 'cut') => {
      seen.length = 0;
      failAt = at;
      failWith = failure;
    },
  };
}

/** What a screen says with numbers in it, and that there is nothing. How long ago something was is left out: that passes. */
export const readClaims = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const main = document.querySelector('main');
    if (main === null) return [];
    const claims = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent.trim();
      if (text === '' || parent.closest('.problem, .skeleton, nav, label, option') !== null) continue;
      if (parent.closest('.empty') !== null) claims.push(text);
      else if (/\\d/.test(text) && !(parent.closest('time') !== null && parent.closest('time').title !== '')) claims.push(text);
    }
    return claims;
  })()`);
