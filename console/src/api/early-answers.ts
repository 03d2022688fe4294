// The answers that `early.ts` has asked for: each is used once, and soon, or not at all.

import type { Reader } from './request.ts';

/** The console keeps what it has read as long as this: what is older would be shown as new. */
const usableMs = 15_000;

export type EarlyAnswers = {
  /** The answer to a request, which is sent once; undefined if it is too late for that. */
  ask(url: string, reader: Reader, init: RequestInit): Promise<Response> | undefined;
  take(url: string, reader: Reader): Promise<Response> | undefined;
};

export function createEarlyAnswers(): EarlyAnswers {
  const responses = new Map<string, Promise<Response>>();
  /** What the console has asked for itself: it is not asked for early any more. */
  const isAsked = new Set<string>();
  setTimeout(() => {
    responses.clear();
    isAsked.clear();
  }, usableMs);
  return {
    ask(url, reader, init) {
      const key = keyOf(url, reader);
      const known = responses.get(key);
      if (known !== undefined || isAsked.has(key) || !isEarly()) return known;
      const response = fetch(url, init);
      responses.set(key, response);
      return response;
    },
    take(url, reader) {
      const key = keyOf(url, reader);
      const response = responses.get(key);
      responses.delete(key);
      if (isEarly()) isAsked.add(key);
      return response;
    },
  };
}

const isEarly = (): boolean => performance.now() < usableMs;

/** What one manager was answered is not given to another, nor in another language. */
const keyOf = (url: string, { token, language }: Reader): string => JSON.stringify([url, token, language]);
