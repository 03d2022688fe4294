// The general rate limit: requests per minute of a client address, and of a principal. Every response reports both in
// the RateLimit fields (draft-ietf-httpapi-ratelimit-headers).

import type { RateLimit } from '../../setting-parsers.ts';
import { Problem } from '../../lib/problem.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';
import { appendToListHeader, type HeaderTarget } from '../protocol/list-header.ts';

export type RateLimiter = {
  /** Counts a request and sets the header fields. Throws a Problem if the limit is used up. */
  countAddress(address: string, reply: HeaderTarget): void;
  countPrincipal(key: string, reply: HeaderTarget): void;
  /**
   * Counts a request of an address, for a caller that writes the header fields itself. Returns their names and values,
   * alternating, or undefined if the limit is used up.
   */
  tryCountAddress(address: string): readonly string[] | undefined;
};

export function createRateLimiter(limit: RateLimit | undefined): RateLimiter {
  if (limit === undefined) return { countAddress: () => {}, countPrincipal: () => {}, tryCountAddress: () => [] };
  const addresses = new FixedWindow(limit.addressPerMinute, 60);
  const principals = new FixedWindow(limit.principalPerMinute, 60);
  return {
    countAddress: createCounter('address', addresses),
    countPrincipal: createCounter('principal', principals),
    tryCountAddress: (address) => {
      const state = addresses.take(address);
      if (!state.allowed) return undefined;
      return [
        'ratelimit-policy',
        formatRateLimitPolicy('address', addresses),
        'ratelimit',
        formatRateLimit('address', state),
      ];
    },
  };
}

function createCounter(name: string, window: FixedWindow) {
  const policy = formatRateLimitPolicy(name, window);
  return (key: string, reply: HeaderTarget): void => {
    const state = window.take(key);
    appendToListHeader(reply, 'ratelimit-policy', policy);
    appendToListHeader(reply, 'ratelimit', formatRateLimit(name, state));
    if (!state.allowed) throw createTooManyRequestsProblem(state);
  };
}

const formatRateLimitPolicy = (name: string, { limit, windowSeconds }: FixedWindow): string =>
  `"${name}";q=${limit};w=${windowSeconds}`;

const formatRateLimit = (name: string, { remaining, resetSeconds }: WindowState): string =>
  `"${name}";r=${remaining};t=${resetSeconds}`;

const createTooManyRequestsProblem = ({ resetSeconds }: WindowState): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: resetSeconds });
