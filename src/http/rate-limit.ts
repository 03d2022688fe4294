// The general rate limit: so many requests a minute of an address, and of a principal. Both are told in the RateLimit
// fields (draft-ietf-httpapi-ratelimit-headers) of every answer.

import type { FastifyReply } from 'fastify';
import type { RateLimit } from '../config.ts';
import { Problem } from '../lib/problem.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';

export type RateLimiter = {
  address(address: string, reply: FastifyReply): void;
  principal(key: string, reply: FastifyReply): void;
};

export function rateLimiter(limit: RateLimit | undefined): RateLimiter {
  if (limit === undefined) return { address: () => {}, principal: () => {} };
  return {
    address: counter('address', new FixedWindow(limit.addressPerMinute, 60)),
    principal: counter('principal', new FixedWindow(limit.principalPerMinute, 60)),
  };
}

function counter(name: string, window: FixedWindow) {
  const policy = `"${name}";q=${window.limit};w=${window.windowSeconds}`;
  return (key: string, reply: FastifyReply): void => {
    const state = window.take(key);
    const { remaining, resetSeconds } = state;
    extend(reply, 'ratelimit-policy', policy);
    extend(reply, 'ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (!state.allowed) throw exceeded(state);
  };
}

/** Adds an item to a list field. */
function extend(reply: FastifyReply, field: string, item: string): void {
  const items = reply.getHeader(field);
  reply.header(field, items === undefined ? item : `${String(items)}, ${item}`);
}

const exceeded = ({ resetSeconds }: WindowState): Problem =>
  new Problem('too-many-requests', { retryAfterSeconds: resetSeconds });
