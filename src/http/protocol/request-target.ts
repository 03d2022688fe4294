// The parts of a request's target.

import type { FastifyRequest } from 'fastify';

export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const index = url.indexOf('?');
  return index < 0 ? url : url.slice(0, index);
}

const pagingParameters = new Set(['cursor', 'offset', 'limit']);

/** The path and the query without the parameters that choose a page: what a list is about. */
export function formatListTarget(request: FastifyRequest): string {
  const parameters = [...new URLSearchParams(queryStringOf(request))];
  const filters = parameters.filter(([name]) => !pagingParameters.has(name.toLowerCase()));
  return `${pathOf(request)}?${new URLSearchParams(filters.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()}`;
}

/** The query without its question mark; empty if there is none. */
export function queryStringOf({ raw: { url = '' } }: FastifyRequest): string {
  const index = url.indexOf('?');
  return index < 0 ? '' : url.slice(index + 1);
}
