// Reads a request's id: the client's own if it is usable, so that the logs of both sides name the request by the same
// id.

import type { IncomingHttpHeaders } from 'node:http';

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

export function readRequestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : crypto.randomUUID();
}
