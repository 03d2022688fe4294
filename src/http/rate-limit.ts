// The general rate limit: so many requests a minute of an address, and of a principal. Both are told in the RateLimit
// fields (draft-ietf-httpapi-ratelimit-headers) of every answer.

import type { FastifyReply } from 'fastify';
import type { RateLimit } from '../config.ts';
import { Problem } from '../lib/problem.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';

export type RateLimiter = {
  countAddress(address: string, reply: FastifyReply): void;
  countPrincipal(key: string, reply: FastifyReply): void;
  /**
   * Counts one more request of an address, without a reply to tell of it: names and values of the fields, in turns.
   * Undefined where it is to be refused.
   */
  tryCountAddress(address: string): readonly string[] | undefined;
  /** Takes one back that is counted elsewhere. */
  refundAddress(address: string): void;
};

export function createRateLimiter(limit: RateLimit | undefined): RateLimiter {
  if (limit === undefined)
    return { countAddress: () => {}, countPrincipal: () => {}, tryCountAddress: () => [], refundAddress: () => {} };
  const addresses = new FixedWindow(limit.addressPerMinute, 60);
  const principals = new FixedWindow(limit.principalPerMinute, 60);
  return {
    countAddress: createCounter('address', addresses),
    countPrincipal: createCounter('principal', principals),
    refundAddress: (address) => addresses.giveBack(address),
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
  return (key: string, reply: FastifyReply): void => {
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

/** Adds an item to a list field. */
function appendToListHeader(reply: FastifyReply, field: string, item: string): void {
  const items = reply.getHeader(field);
  reply.header(field, items === undefined ? item : `${String(items)}, ${item}`);
}

const createTooManyRequestsProblem = ({ resetSeconds }: WindowState): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: resetSeconds });
