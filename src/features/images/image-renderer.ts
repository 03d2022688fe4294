// From a drawing to what is answered: out of the cache of its family, or drawn anew in one of the family's places.

import { hash } from 'node:crypto';
import type { Representation } from '../../http/representation.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Problem } from '../../lib/problem.ts';
import { etagInSlices } from '../../providers/cache/etag.ts';
import type { Variant, VariantCache } from '../../providers/cache/variant-cache.ts';

/** Requests of one family that may be at work at once. */
const maxConcurrentRenders = 16;

/** Browsers keep an image for ten minutes. */
const maxAgeSeconds = 600;

const svgType = 'image/svg+xml';

/** Of so many pictures, at least, it is known that they were asked for. */
const maxTrackedKeys = 4096;

/** A name as it stands, where it is short and plain. */
const etagOfCacheKey = (name: string): string =>
  /^[!#-~]{1,120}$/.test(name) ? `"${name}"` : `"${hash('sha256', name, 'base64url')}"`;

type ImageRendererOptions = {
  readonly cache: () => VariantCache;
  /** Names the drawings: what another version of the service kept is not asked for. */
  readonly renderVersion: () => string;
  readonly sendsLastModified?: boolean;
};

/** A family of images: its places, and its share of a cache. */
export class ImageRenderer {
  readonly #group: string;
  readonly #cache: () => VariantCache;
  readonly #renderVersion: () => string;
  readonly #sendsLastModified: boolean;
  readonly #concurrencyLimit = new ConcurrencyLimit(maxConcurrentRenders, () => new Problem('too-many-renders'));
  readonly #rendersInProgress = new Map<string, Promise<Variant>>();
  #recentKeys = new Set<string>();
  #olderKeys = new Set<string>();

  /** `dated`: answers say when they were drawn. */
  constructor(name: string, { cache, renderVersion, sendsLastModified = false }: ImageRendererOptions) {
    this.#group = name;
    this.#cache = cache;
    this.#renderVersion = renderVersion;
    this.#sendsLastModified = sendsLastModified;
  }

  /** An SVG, which takes no longer to draw than to ask for; only where the disk is asked does it take a place. */
  renderSvg(key: string, draw: () => string): Representation | Promise<Representation> {
    const name = this.#cacheKeyOf(key);
    const known = this.#cache().get(name);
    // What stands in it follows from its name, so that is what its tag is made of.
    const etag = etagOfCacheKey(name);
    const anew = (): Representation => {
      const text = draw();
      // A dated one has to keep its date.
      if (!this.#sendsLastModified && this.#isFirstRequest(name))
        return { body: text, mediaType: svgType, etag, maxAgeSeconds, isNewlyRendered: true };
      return this.#toRepresentation(this.#cache().put(name, svgType, Buffer.from(text), etag), text);
    };
    if (known === undefined) return anew();
    if (!(known instanceof Promise)) return this.#toRepresentation(known);
    return this.#concurrencyLimit.run(async () => {
      const kept = await known;
      return kept === undefined ? anew() : this.#toRepresentation(kept);
    });
  }

  /** An image that takes its time: in a place of the family, once for all who ask for it meanwhile. */
  renderRaster(key: string, type: string, render: () => Promise<Buffer>): Representation | Promise<Representation> {
    const name = this.#cacheKeyOf(key);
    const known = this.#cache().get(name);
    if (known !== undefined && !(known instanceof Promise)) return this.#toRepresentation(known);
    return this.#concurrencyLimit.run(async () => {
      const kept = await known;
      return kept === undefined
        ? { ...this.#toRepresentation(await this.#renderOnce(name, type, render)), isNewlyRendered: true }
        : this.#toRepresentation(kept);
    });
  }

  /**
   * Most pictures that a path describes are never asked for again, and keeping one costs more than drawing it: it is kept
   * when it is asked for a second time.
   */
  #isFirstRequest(name: string): boolean {
    if (this.#recentKeys.has(name) || this.#olderKeys.has(name)) return false;
    if (this.#recentKeys.size === maxTrackedKeys) {
      this.#olderKeys = this.#recentKeys;
      this.#recentKeys = new Set();
    }
    this.#recentKeys.add(name);
    return true;
  }

  #renderOnce(name: string, type: string, render: () => Promise<Buffer>): Promise<Variant> {
    const running = this.#rendersInProgress.get(name);
    if (running !== undefined) return running;
    const begun = render()
      .then(async (body) => this.#cache().put(name, type, body, await etagInSlices(body)))
      .finally(() => this.#rendersInProgress.delete(name));
    this.#rendersInProgress.set(name, begun);
    return begun;
  }

  #cacheKeyOf(key: string): string {
    return `${this.#group}/${this.#renderVersion()}/${key}`;
  }

  #toRepresentation({ type, body, etag, renderedAtMs }: Variant, text?: string): Representation {
    return {
      // A text and its head go out in one piece.
      body: text ?? (type === svgType ? body.toString() : body),
      mediaType: type,
      etag,
      maxAgeSeconds,
      ...(this.#sendsLastModified ? { lastModifiedMs: renderedAtMs } : {}),
    };
  }
}
