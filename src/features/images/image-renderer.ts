// Answers images of one kind: from the cache, or rendered anew by at most 16 requests at once.

import { hash } from 'node:crypto';
import type { Representation } from '../../http/representation.ts';
import { Gate } from '../../lib/gate.ts';
import { Problem } from '../../lib/problem.ts';
import type { VariantCache } from '../../providers/cache/variant-cache.ts';
import { sha256, type Variant } from '../../providers/cache/variant-file.ts';

const maxConcurrent = 16;
/** How long browsers keep an image. */
const maxAgeSeconds = 600;
const svgType = 'image/svg+xml';
const maxAskedFor = 8192;

type ImageRendererParts = {
  readonly cache: VariantCache;
  readonly renderVersion: () => string;
  /** Answers say when the image was rendered. */
  readonly dated?: boolean;
};

export class ImageRenderer {
  readonly #name: string;
  readonly #parts: ImageRendererParts;
  readonly #semaphore = new Gate(maxConcurrent, () => new Problem('too-many-renders'));
  readonly #rendering = new Map<string, Promise<Variant>>();
  readonly #askedFor = new Set<string>();

  constructor(name: string, parts: ImageRendererParts) {
    this.#name = name;
    this.#parts = parts;
  }

  /** An SVG. Drawing takes less time than asking the disk, so that only one that is asked for again is looked for there. */
  svg(key: string, draw: () => string): Representation | Promise<Representation> {
    const { cache, dated } = this.#parts;
    const cacheKey = this.#cacheKeyOf(key);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return this.#answer(cached);
    const etag = etagOf(cacheKey);
    // A dated one has to keep its date.
    if (dated !== true && !this.#wasAskedFor(cacheKey))
      return { body: draw(), type: svgType, etag, maxAgeSeconds, isNew: true };
    const render = (): Variant => cache.put(cacheKey, { type: svgType, body: draw(), etag });
    const reading = cache.read(cacheKey);
    if (reading === undefined) return this.#answer(render());
    return this.#semaphore.hold(async () => this.#answer((await reading) ?? render()));
  }

  /** An image that takes long to render. Requests for the same image share one rendering. */
  raster(key: string, type: string, render: () => Promise<Buffer>): Representation | Promise<Representation> {
    const { cache } = this.#parts;
    const cacheKey = this.#cacheKeyOf(key);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return this.#answer(cached);
    return this.#semaphore.hold(async () => {
      const stored = await cache.read(cacheKey);
      if (stored !== undefined) return this.#answer(stored);
      return { ...this.#answer(await this.#renderOnce(cacheKey, type, render)), isNew: true };
    });
  }

  /** Most pictures are asked for once, and keeping one costs more than drawing it. */
  #wasAskedFor(cacheKey: string): boolean {
    if (this.#askedFor.has(cacheKey)) return true;
    if (this.#askedFor.size === maxAskedFor) this.#askedFor.clear();
    this.#askedFor.add(cacheKey);
    return false;
  }

  #renderOnce(cacheKey: string, type: string, render: () => Promise<Buffer>): Promise<Variant> {
    const running = this.#rendering.get(cacheKey);
    if (running !== undefined) return running;
    const started = render()
      .then(async (body) => {
        const etag = `"${(await sha256(body)).toString('base64url')}"`;
        return this.#parts.cache.put(cacheKey, { type, body, etag });
      })
      .finally(() => this.#rendering.delete(cacheKey));
    this.#rendering.set(cacheKey, started);
    return started;
  }

  #cacheKeyOf(key: string): string {
    return `${this.#name}/${this.#parts.renderVersion()}/${key}`;
  }

  #answer({ type, body, etag, renderedAtMs }: Variant): Representation {
    const lastModified = this.#parts.dated === true ? { lastModifiedMs: renderedAtMs } : {};
    return { type, body, etag, maxAgeSeconds, ...lastModified };
  }
}

/** An SVG follows from its key, and so does its entity tag: the key itself where its characters allow that. */
const etagOf = (cacheKey: string): string =>
  /^[!#-~]{1,120}$/.test(cacheKey) ? `"${cacheKey}"` : `"${hash('sha256', cacheKey, 'base64url')}"`;
