// Describes the header fields of requests and responses, and which of them an operation has.

import { languages } from '../../lib/text/language.ts';
import type { Operation } from '../operations/operation.ts';
import { isConditional, takesRevision } from '../operations/operation-properties.ts';
import type { Components, Json } from './components.ts';

/** The schema is that of a text where none is given. */
type HeaderDescription = readonly [description: string, example?: string | undefined, schema?: Json];

const responseHeaderFields = {
  'Accept-CH': ['The client hints on which the response depends (RFC 8942).', 'Sec-CH-UA-Arch'],
  'Accept-Ranges': ['Ranges of bytes can be requested.', 'bytes'],
  Allow: ['The methods of the path.', 'GET, HEAD, OPTIONS'],
  'Cache-Control': ['`no-store`: do not cache.', 'no-store'],
  'Content-Disposition': ['A file name for the download.', 'attachment; filename="sund-B1001-account.csv"'],
  'Content-Language': ['The language of the response.', 'da'],
  'Content-Range': ['Which bytes follow, and how many the file has.', 'bytes 1000-1999/5000'],
  'Content-Security-Policy': ['What a browser may do with the page: nothing but apply its style.'],
  Deprecation: ['Since when the operation is deprecated (RFC 9745).', '@1782864000'],
  ETag: ['Entity tag of the response, for If-None-Match.', '"pJ0kzQ5mJ1kA0v8dG1c2x3Y4z5W"'],
  'Idempotency-Replayed': ['`true` if this is the stored response to an earlier request with the same key.', 'true'],
  'Last-Modified': ['When the image was rendered, for If-Modified-Since.', 'Mon, 15 Jun 2026 09:30:00 GMT'],
  Location: ['The path of what was created.', '/api/v1/banks/sund-B1001/users/sund-B1001-R1401'],
  RevalidatedCacheControl: [
    'Any client or cache may store the response, but must check before each use that it is still current.',
    'public, no-cache',
  ],
  PublicCacheControl: ['Any client or cache may store the response for max-age seconds.', 'public, max-age=600'],
  RateLimit: [
    'Remaining requests (`r`), and seconds until the limit resets (`t`). Absent if limits are off.',
    '"principal";r=5999;t=60',
  ],
  'RateLimit-Policy': ['Quota (`q`) per window of `w` seconds.', '"principal";q=6000;w=60'],
  'Retry-After': ['Seconds to wait before a retry.', undefined, { type: 'integer', minimum: 0 }],
  Sunset: ['When the operation ends (RFC 8594).', 'Fri, 01 Jan 2027 00:00:00 GMT'],
  Vary: ['`Accept-Language`.', 'Accept-Language'],
  'WWW-Authenticate': ['RFC 6750; has `error` if the request had a token.', 'Bearer realm="api.sund.localhost"'],
  'X-Document-Complete': [
    '`true` if the document has ended and the equipment has sent all of it, otherwise `false`.',
    'true',
  ],
  'X-Request-Id': [
    'The request’s id: the value that the client sent if it is valid, otherwise a new one.',
    '0d4bbd5c-4a5e-4c0c-9d4f-8f2f1f2f7b51',
  ],
} as const satisfies Record<string, HeaderDescription>;

/** The field's name; some keys are further descriptions of the same field. */
const headerNameOf = (name: ResponseHeaderKey): string => (name.endsWith('CacheControl') ? 'Cache-Control' : name);

export type ResponseHeaderKey = keyof typeof responseHeaderFields;

export function responseHeaders(components: Components, names: readonly ResponseHeaderKey[]): Json {
  const describe = (name: ResponseHeaderKey): Json => {
    const [description, example, schema = { type: 'string' }]: HeaderDescription = responseHeaderFields[name];
    return { description, schema, ...(example === undefined ? {} : { example }) };
  };
  return Object.fromEntries(
    names.map((name) => [headerNameOf(name), components.reference('headers', name, () => describe(name))]),
  );
}

export const rateLimitHeaders: readonly ResponseHeaderKey[] = ['RateLimit', 'RateLimit-Policy'];

/** The header fields of a success. */
export function successHeaderKeys(operation: Operation): ResponseHeaderKey[] {
  const { localised, acceptsIdempotencyKey, response } = operation;
  return [
    'X-Request-Id',
    ...(response.kind === 'representation' ? (['PublicCacheControl'] as const) : []),
    ...(response.kind === 'storedFile' ? (['RevalidatedCacheControl', 'Accept-Ranges'] as const) : []),
    ...(isNeverStored(operation) ? (['Cache-Control'] as const) : []),
    ...(isConditional(operation) ? (['ETag'] as const) : []),
    ...response.headers,
    ...(localised === true ? (['Content-Language', 'Vary'] as const) : []),
    ...(acceptsIdempotencyKey === true ? (['Idempotency-Replayed'] as const) : []),
    ...deprecationHeaders(operation),
    ...rateLimitHeaders,
  ];
}

const deprecationHeaders = ({ deprecation }: Operation): ResponseHeaderKey[] =>
  deprecation === undefined ? [] : ['Deprecation', 'Sunset'];

/**
 * Whether documents declare `no-store`: for what managers read, for writes, and for public files that are generated for
 * each request.
 */
const isNeverStored = ({ access, method, response }: Operation): boolean =>
  access !== 'anyone' || method !== 'GET' || response.kind === 'preparedFile';

const requestHeaderFields = {
  'Accept-Language': {
    description: `Languages by preference. The first supported one of ${languages.join(', ')} is used; otherwise English.`,
    schema: { type: 'string', default: 'en' },
    example: 'da, en;q=0.8',
  },
  'Idempotency-Key': {
    description:
      'Chosen by the client for one write. For 24 hours, the same request with the same key gets the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
    example: '5f0c3a52-6f0b-4b7e-9a53-3f7f5c1a2b90',
  },
  'If-Match': {
    description:
      'Of a file: ETag of the part that the client has. Of a write: the revision in quotes, in place of `expectedRevision`. If the file or the object has changed since, the response is 412.',
    schema: { type: 'string' },
  },
  'If-Range': {
    description: 'ETag of the part that the client has. If the file has changed since, it is sent whole.',
    schema: { type: 'string' },
  },
  Range: {
    description: 'One range of bytes, such as `bytes=1000-`. A request for several ranges gets the whole file.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description: 'ETag of a stored response. If it still matches, the response is 304 without a body.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Json>;

/** The header parameters of the operation. */
export function headerParameters(components: Components, operation: Operation): Json[] {
  const names: (keyof typeof requestHeaderFields)[] = [
    ...(operation.localised === true ? (['Accept-Language'] as const) : []),
    ...(operation.acceptsIdempotencyKey === true ? (['Idempotency-Key'] as const) : []),
    ...(isConditional(operation) ? (['If-None-Match'] as const) : []),
    ...(takesRevision(operation) ? (['If-Match'] as const) : []),
    ...(operation.response.kind === 'storedFile' ? (['Range', 'If-Range', 'If-Match'] as const) : []),
  ];
  return names.map((name) =>
    components.reference('parameters', name, () => ({
      name,
      in: 'header',
      required: false,
      ...requestHeaderFields[name],
    })),
  );
}
