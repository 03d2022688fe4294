// Answers images of one group: from the cache, or newly rendered by at most 16 requests at the same time.

import { hash } from 'node:crypto';
import type { Representation } from '../../http/representation.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import type { VariantCache } from '../../providers/cache/variant-cache.ts';
import { sha256, type Variant } from '../../providers/cache/variant-file.ts';

const maxConcurrent = 16;
/** How long browsers keep an image. */
const maxAgeSeconds = 600;
const svgType = 'image/svg+xml';
const maxRequestedKeys = 8192;

type ImageRendererDependencies = {
  readonly cache: VariantCache;
  readonly renderVersion: () => string;
  /** Answers say when the image was rendered. */
  readonly sendsLastModified?: boolean;
};

export class ImageRenderer {
  readonly #group: string;
  readonly #dependencies: ImageRendererDependencies;
  readonly #concurrencyLimit = new ConcurrencyLimit(maxConcurrent, () => new Problem('too-many-renders'));
  readonly #rendering = new Map<string, Promise<Variant>>();
  readonly #requestedKeys = new Set<string>();

  constructor(group: string, dependencies: ImageRendererDependencies) {
    this.#group = group;
    this.#dependencies = dependencies;
  }

  /** An SVG. Drawing is faster than asking the disk, so only an SVG that was requested before is looked for there. */
  renderSvg(key: string, draw: () => string): Representation | Promise<Representation> {
    const { cache, sendsLastModified } = this.#dependencies;
    const cacheKey = this.#cacheKeyOf(key);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return this.#toRepresentation(cached);
    const etag = etagOf(cacheKey);
    // An image with a date must keep its date.
    if (sendsLastModified !== true && !this.#wasRequested(cacheKey))
      return { body: draw(), mediaType: svgType, etag, maxAgeSeconds, isNewlyRendered: true };
    const render = (): Variant => cache.put(cacheKey, { type: svgType, body: draw(), etag });
    const reading = cache.read(cacheKey);
    if (reading === undefined) return this.#toRepresentation(render());
    return this.#concurrencyLimit.run(async () => this.#toRepresentation((await reading) ?? render()));
  }

  /** An image that takes long to render. Requests for the same image share one rendering. */
  renderRaster(
    key: string,
    mediaType: string,
    render: () => Promise<Buffer>,
  ): Representation | Promise<Representation> {
    const { cache } = this.#dependencies;
    const cacheKey = this.#cacheKeyOf(key);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return this.#toRepresentation(cached);
    return this.#concurrencyLimit.run(async () => {
      const stored = await cache.read(cacheKey);
      if (stored !== undefined) return this.#toRepresentation(stored);
      return { ...this.#toRepresentation(await this.#renderOnce(cacheKey, mediaType, render)), isNewlyRendered: true };
    });
  }

  /** Most images are requested once, and storing one costs more than drawing it. */
  #wasRequested(cacheKey: string): boolean {
    if (this.#requestedKeys.has(cacheKey)) return true;
    if (this.#requestedKeys.size === maxRequestedKeys) this.#requestedKeys.clear();
    this.#requestedKeys.add(cacheKey);
    return false;
  }

  #renderOnce(cacheKey: string, type: string, render: () => Promise<Buffer>): Promise<Variant> {
    const running = this.#rendering.get(cacheKey);
    if (running !== undefined) return running;
    const started = render()
      .then(async (body) => {
        const etag = `"${(await sha256(body)).toString('base64url')}"`;
        return this.#dependencies.cache.put(cacheKey, { type, body, etag });
      })
      .finally(() => this.#rendering.delete(cacheKey));
    this.#rendering.set(cacheKey, started);
    return started;
  }

  #cacheKeyOf(key: string): string {
    return `${this.#group}/${this.#dependencies.renderVersion()}/${key}`;
  }

  #toRepresentation({ type, body, etag, renderedAtMs }: Variant): Representation {
    const lastModified = this.#dependencies.sendsLastModified === true ? { lastModifiedMs: renderedAtMs } : {};
    return { mediaType: type, body, etag, maxAgeSeconds, ...lastModified };
  }
}

/** An SVG follows from its key, and so does its entity tag: the key itself where its characters allow that. */
const etagOf = (cacheKey: string): string =>
  /^[!#-~]{1,120}$/.test(cacheKey) ? `"${cacheKey}"` : `"${hash('sha256', cacheKey, 'base64url')}"`;
