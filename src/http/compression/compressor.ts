// Compresses bodies, and keeps those of images and documents that are sent again and again.

import { LRUCache } from 'lru-cache';
import { createTenantCache, createTenantCacheKey, type TenantCacheKey } from '../../lib/caches/tenant-cache.ts';
import type { TenantHost } from '../context/tenancy.ts';
import { compressorOf, type Coding } from './codings.ts';
import { negotiateCoding, type CodingChoice } from './negotiate-coding.ts';

/** For smaller bodies, the header fields of compression cost much of what it saves. */
const minBytes = 1024;
/** Bodies up to this size take at most a millisecond: a thread could be busy with an image for longer. */
const maxSyncBytes = 131_072;
const maxStoredBytes = 8_000_000;
const maxStoredBodyBytes = 1_000_000;
/** Clients send the same few Accept-Encoding fields again and again. */
const maxChoices = 200;
const maxChoiceCharacters = 200;

/** A body of a tenant that is stored when compressed, with its strong entity tag. */
type StoredBody = { readonly tenantHost: TenantHost; readonly etag: string; readonly body: Buffer | string };

export class Compressor {
  readonly #choices = new LRUCache<string, CodingChoice>({ max: maxChoices });
  readonly #stored = createTenantCache<Buffer>({
    maxSize: maxStoredBytes,
    maxEntrySize: maxStoredBodyBytes,
    sizeCalculation: (body, key) => body.length + key.length + 200,
  });
  readonly #running = new Map<TenantCacheKey, Promise<Buffer>>();

  choose(acceptEncoding: string): CodingChoice {
    const known = this.#choices.get(acceptEncoding);
    if (known !== undefined) return known;
    const choice = negotiateCoding(acceptEncoding);
    if (acceptEncoding.length <= maxChoiceCharacters) this.#choices.set(acceptEncoding, choice);
    return choice;
  }

  /** The coding for a body; undefined where the body is sent uncompressed. */
  chooseFor(body: Buffer | string, acceptEncoding: string): Coding | undefined {
    const { coding, takesIdentity } = this.choose(acceptEncoding);
    return coding === undefined || (takesIdentity && Buffer.byteLength(body) < minBytes) ? undefined : coding;
  }

  compress(body: Buffer | string, coding: Coding): Buffer | Promise<Buffer> {
    const coder = compressorOf(coding);
    return body.length <= maxSyncBytes ? coder.compressSync(body) : coder.compress(body);
  }

  /** Concurrent requests for the same body share the work. */
  compressStored(stored: StoredBody, coding: Coding): Buffer | Promise<Buffer> {
    const key = keyOf(stored, coding);
    const found = this.#stored.get(key) ?? this.#running.get(key);
    if (found !== undefined) return found;
    const made = this.compress(stored.body, coding);
    if (!(made instanceof Promise)) {
      this.#stored.set(key, made);
      return made;
    }
    const running = made
      .then((compressed) => {
        this.#stored.set(key, compressed);
        return compressed;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

const keyOf = ({ tenantHost, etag }: Omit<StoredBody, 'body'>, coding: Coding): TenantCacheKey =>
  createTenantCacheKey({ tenant: tenantHost.tenant.name }, coding, etag);

/**
 * A strong entity tag names the exact bytes, and a compressed body has different ones. If-None-Match compares weakly,
 * so that both tags match (RFC 9110, 8.8.3.3 and 13.1.2).
 */
export const toWeakEtag = (etag: string): string => `W/${etag}`;
