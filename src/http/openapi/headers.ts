// The header fields of requests and answers, and which of them an operation has.

import { languages } from '../../lib/language.ts';
import { isConditional, type Operation } from '../operation.ts';
import type { Components, Json } from './components.ts';

type Field = { readonly description: string; readonly schema: Json; readonly example?: string };

const text = (description: string, example?: string): Field => ({
  description,
  schema: { type: 'string' },
  ...(example === undefined ? {} : { example }),
});

const answered = {
  'Cache-Control': text('`no-store`: the answer is for this manager alone.', 'no-store'),
  'Content-Disposition': text('A name for the file.', 'attachment; filename="sund-B1001-account.csv"'),
  'Content-Language': text('The language of the answer.', 'da'),
  ETag: text('Names just this answer, for If-None-Match.', '"pJ0kzQ5mJ1kA0v8dG1c2x3Y4z5W"'),
  'Idempotency-Replayed': text('`true` where this is the first answer to the key, given again.', 'true'),
  'Last-Modified': text('When it was drawn, for If-Modified-Since.', 'Mon, 15 Jun 2026 09:30:00 GMT'),
  PublicCacheControl: text('Everybody may keep the answer for so many seconds.', 'public, max-age=600'),
  RateLimit: text(
    'What is left of the limit that counts here, and the seconds until it is whole again; absent where limits are off.',
    '"principal";r=5999;t=60',
  ),
  'RateLimit-Policy': text('That limit: so many requests in so many seconds.', '"principal";q=6000;w=60'),
  'Retry-After': { description: 'Seconds after which a retry can help.', schema: { type: 'integer', minimum: 0 } },
  Vary: text('`Accept-Language`.', 'Accept-Language'),
  'WWW-Authenticate': text('RFC 6750; names the error where a token was sent.', 'Bearer realm="api.sund.localhost"'),
  'X-Request-Id': text(
    'The request’s id: the client’s own where it sent a usable one.',
    '0d4bbd5c-4a5e-4c0c-9d4f-8f2f1f2f7b51',
  ),
} as const satisfies Record<string, Field>;

/** What a component is called whose field has another description elsewhere. */
const fieldOf = (name: AnsweredField): string => (name === 'PublicCacheControl' ? 'Cache-Control' : name);

export type AnsweredField = keyof typeof answered;

export function answerHeaders(components: Components, names: readonly AnsweredField[]): Json {
  return Object.fromEntries(
    names.map((name) => [fieldOf(name), components.refer('headers', name, () => answered[name])]),
  );
}

export const limitFields: readonly AnsweredField[] = ['RateLimit', 'RateLimit-Policy'];

/** The fields of a success. */
export function successFields(operation: Operation): AnsweredField[] {
  const { access, method, localised, idempotent, media } = operation;
  return [
    'X-Request-Id',
    ...(media === undefined ? [] : (['PublicCacheControl'] as const)),
    ...(access !== 'anyone' || method !== 'GET' ? (['Cache-Control'] as const) : []),
    ...(isConditional(operation) ? (['ETag'] as const) : []),
    ...(operation.files === undefined ? [] : (['Content-Disposition'] as const)),
    ...(localised === true ? (['Content-Language', 'Vary'] as const) : []),
    ...(idempotent === true ? (['Idempotency-Replayed'] as const) : []),
    ...limitFields,
  ];
}

const taken = {
  'Accept-Language': {
    description: `Languages by preference: the first that is one of ${languages.join(', ')} is taken, English where none is.`,
    schema: { type: 'string', default: 'en' },
    example: 'da, en;q=0.8',
  },
  'Idempotency-Key': {
    description:
      'Chosen by the client for this one write; within 24 hours the same request gets the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
    example: '5f0c3a52-6f0b-4b7e-9a53-3f7f5c1a2b90',
  },
  'If-None-Match': {
    description: 'The ETag of an answer already held: where it still holds, the answer is 304 without a body.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Omit<Field, 'example'> & { example?: string }>;

/** The header parameters that the operation takes. */
export function headerParameters(components: Components, operation: Operation): Json[] {
  const names: (keyof typeof taken)[] = [
    ...(operation.localised === true ? (['Accept-Language'] as const) : []),
    ...(operation.idempotent === true ? (['Idempotency-Key'] as const) : []),
    ...(isConditional(operation) ? (['If-None-Match'] as const) : []),
  ];
  return names.map((name) =>
    components.refer('parameters', name, () => ({ name, in: 'header', required: false, ...taken[name] })),
  );
}
