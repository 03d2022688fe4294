// A request's id: the client's own where it sent a usable one, so that both sides' logs tell of it by one name.

import type { IncomingHttpHeaders } from 'node:http';

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

export function readRequestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : crypto.randomUUID();
}
