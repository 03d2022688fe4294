// Tells whether a request comes from somebody who reads pages, such as a browser, and not from a program.

import Negotiator from 'negotiator';
import { jsonMediaTypes } from '../operations/response.ts';

const problemMediaType = 'application/problem+json';
const pageMediaType = 'text/html';
const available = [problemMediaType, ...jsonMediaTypes, pageMediaType];

/**
 * Whether an Accept field names text/html, and prefers it to JSON (RFC 9110, 12.5.1). A wildcard does not name it: clients
 * that take anything get JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  // Most requests end here: a field is parsed only if it can make a difference.
  if (accept === undefined || !/text\/html/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaTypes(available)[0] === pageMediaType;
}
