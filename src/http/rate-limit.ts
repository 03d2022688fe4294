// The general rate limit: so many requests a minute of an address, and of a principal. Both are told in the RateLimit
// fields (draft-ietf-httpapi-ratelimit-headers) of every answer.

import type { FastifyReply } from 'fastify';
import type { RateLimit } from '../config.ts';
import { Problem } from '../lib/problem.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';

export type RateLimiter = {
  address(address: string, reply: FastifyReply): void;
  principal(key: string, reply: FastifyReply): void;
  /**
   * Counts one more request of an address, without a reply to tell of it: names and values of the fields, in turns.
   * Undefined where it is to be refused.
   */
  ofAddress(address: string): readonly string[] | undefined;
  /** Takes one back that is counted elsewhere. */
  giveBackOfAddress(address: string): void;
};

export function rateLimiter(limit: RateLimit | undefined): RateLimiter {
  if (limit === undefined)
    return { address: () => {}, principal: () => {}, ofAddress: () => [], giveBackOfAddress: () => {} };
  const addresses = new FixedWindow(limit.addressPerMinute, 60);
  const principals = new FixedWindow(limit.principalPerMinute, 60);
  return {
    address: counter('address', addresses),
    principal: counter('principal', principals),
    giveBackOfAddress: (address) => addresses.giveBack(address),
    ofAddress: (address) => {
      const state = addresses.take(address);
      if (!state.allowed) return undefined;
      return ['ratelimit-policy', policyOf('address', addresses), 'ratelimit', told('address', state)];
    },
  };
}

function counter(name: string, window: FixedWindow) {
  const policy = policyOf(name, window);
  return (key: string, reply: FastifyReply): void => {
    const state = window.take(key);
    extend(reply, 'ratelimit-policy', policy);
    extend(reply, 'ratelimit', told(name, state));
    if (!state.allowed) throw exceeded(state);
  };
}

const policyOf = (name: string, { limit, windowSeconds }: FixedWindow): string =>
  `"${name}";q=${limit};w=${windowSeconds}`;

const told = (name: string, { remaining, resetSeconds }: WindowState): string =>
  `"${name}";r=${remaining};t=${resetSeconds}`;

/** Adds an item to a list field. */
function extend(reply: FastifyReply, field: string, item: string): void {
  const items = reply.getHeader(field);
  reply.header(field, items === undefined ? item : `${String(items)}, ${item}`);
}

const exceeded = ({ resetSeconds }: WindowState): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: resetSeconds });
