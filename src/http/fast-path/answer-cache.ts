// Caches successes as the framework sent them, with the header fields that do not depend on the request.

import type { FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { createTenantCache, createTenantCacheKey, type TenantCacheKey } from '../../lib/caches/tenant-cache.ts';
import type { TenantHost } from '../context/tenancy.ts';

const maxEntries = 2000;
const maxBytes = 8_000_000;
const maxBodyBytes = 100_000;

export type CachedAnswer = {
  readonly body: Buffer | string;
  /** The encoding of a text. Node writes ASCII faster as Latin-1 than as UTF-8. */
  readonly encoding: 'latin1' | 'utf8';
  /** Names and values, alternating. */
  readonly fields: readonly string[];
  readonly route: string;
  readonly operationId: string;
  /** Whether the framework would still send the same. */
  readonly isFresh: () => boolean;
};

/** The header fields that differ for each request. */
const requestFields = new Set(['x-request-id', 'traceparent', 'ratelimit-policy', 'ratelimit']);

export class AnswerCache {
  readonly #answers = createTenantCache<CachedAnswer>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + 500,
  });

  get(tenantHost: TenantHost, request: IncomingMessage): CachedAnswer | undefined {
    const found = this.#answers.get(keyOf(tenantHost, request));
    return found?.isFresh() === true ? found : undefined;
  }

  /** Caches what the reply sends, unless that is a stream or large. */
  set(tenantHost: TenantHost, { request, body, reply, ...answer }: CachedReply): void {
    if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length > maxBodyBytes) return;
    const fields = Object.entries(reply.getHeaders())
      .filter(([name]) => !requestFields.has(name))
      .flatMap(([name, value]) => [name, String(value)]);
    const bytes = Buffer.byteLength(body);
    fields.push('content-length', String(bytes));
    const encoding = bytes === body.length ? 'latin1' : 'utf8';
    this.#answers.set(keyOf(tenantHost, request), { ...answer, body, encoding, fields });
  }
}

type CachedReply = Pick<CachedAnswer, 'route' | 'operationId' | 'isFresh'> & {
  readonly request: IncomingMessage;
  readonly body: unknown;
  readonly reply: FastifyReply;
};

/** Includes the request fields by which a success may vary. No field value contains a line feed. */
const keyOf = ({ tenant }: TenantHost, { url = '', headers }: IncomingMessage): TenantCacheKey =>
  createTenantCacheKey({ tenant: tenant.name }, `${headers['accept-encoding'] ?? ''}\n${headers.accept ?? ''}\n${url}`);
