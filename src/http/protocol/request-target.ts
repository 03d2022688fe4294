// The parts of a request's target.

import type { FastifyRequest } from 'fastify';

export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** The query without its question mark; empty if there is none. */
export function queryStringOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
