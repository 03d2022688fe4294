// Answers images of one group from the cache, or renders them, at most 16 at the same time.

import { hash } from 'node:crypto';
import type { Representation } from '../../../http/representations/representation.ts';
import { DeflatedBytes } from '../../../lib/bytes/deflated-bytes.ts';
import { Problem } from '../../../lib/problem.ts';
import type { VariantCache } from '../../../providers/cache/variant-cache.ts';
import { sha256, type Variant } from '../../../providers/cache/variant-file.ts';
import { RenderQueue, type ImageRenderRequest } from './render-queue.ts';

/** How long browsers keep an image. */
const maxAgeSeconds = 600;
const svgType = 'image/svg+xml';
const maxRequestedKeys = 8192;

type ImageRendererDependencies = {
  readonly cache: VariantCache;
  readonly renderVersion: () => string;
  /** Whether responses say when the image was rendered. */
  readonly sendsLastModified?: boolean;
  /** How long a request waits if too many images are being rendered. */
  readonly maxWaitMs?: number;
};

export type RasterImage = {
  /** One key per image. */
  readonly key: string;
  readonly mediaType: string;
  readonly render: () => Promise<Buffer | DeflatedBytes>;
};

/** A rendering that requests for the same image share, and the client that began it. */
type SharedRendering = { readonly clientAddress: string; readonly image: Promise<Representation> };

export class ImageRenderer {
  readonly #group: string;
  readonly #dependencies: ImageRendererDependencies;
  readonly #queue: RenderQueue;
  readonly #rendering = new Map<string, SharedRendering>();
  readonly #requestedKeys = new Set<string>();

  constructor(group: string, dependencies: ImageRendererDependencies) {
    this.#group = group;
    this.#dependencies = dependencies;
    this.#queue = new RenderQueue(dependencies.maxWaitMs);
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
    return this.#queue.read(async () => this.#toRepresentation((await reading) ?? render()));
  }

  /** An image that takes long to render. Requests for the same image share one rendering. */
  renderRaster(image: RasterImage, request: ImageRenderRequest): Representation | Promise<Representation> {
    const cacheKey = this.#cacheKeyOf(image.key);
    const cached = this.#dependencies.cache.get(cacheKey);
    if (cached !== undefined) return this.#toRepresentation(cached);
    const running = this.#rendering.get(cacheKey);
    if (running === undefined) return this.#share(cacheKey, image, request);
    if (running.clientAddress === request.clientAddress) return running.image;
    return running.image.catch((error: unknown) => {
      // The queue refused the other client, not this one.
      if (error instanceof Problem && error.code === 'too-many-renders')
        return this.#rendering.get(cacheKey)?.image ?? this.#share(cacheKey, image, request);
      throw error;
    });
  }

  /** Most images are requested once, and storing one costs more than drawing it. */
  #wasRequested(cacheKey: string): boolean {
    if (this.#requestedKeys.has(cacheKey)) return true;
    if (this.#requestedKeys.size === maxRequestedKeys) this.#requestedKeys.clear();
    this.#requestedKeys.add(cacheKey);
    return false;
  }

  #share(cacheKey: string, image: RasterImage, request: ImageRenderRequest): Promise<Representation> {
    const shared = this.#readOrRender(cacheKey, image, request).finally(() => this.#rendering.delete(cacheKey));
    this.#rendering.set(cacheKey, { clientAddress: request.clientAddress, image: shared });
    return shared;
  }

  async #readOrRender(
    cacheKey: string,
    { mediaType, render }: RasterImage,
    request: ImageRenderRequest,
  ): Promise<Representation> {
    const { cache } = this.#dependencies;
    const stored = await cache.read(cacheKey);
    if (stored !== undefined) return this.#toRepresentation(stored);
    return this.#queue.render(request, async () => {
      const body = await render();
      // Equal images with different compressed bytes get different tags, but different images never share a tag.
      const sum = await sha256(body instanceof DeflatedBytes ? body.deflated : body);
      const etag = `"${sum.toString('base64url')}"`;
      const variant = cache.put(cacheKey, { type: mediaType, body, etag });
      return { ...this.#toRepresentation(variant), isNewlyRendered: true };
    });
  }

  #cacheKeyOf(key: string): string {
    return `${this.#group}/${this.#dependencies.renderVersion()}/${key}`;
  }

  #toRepresentation({ type, body, etag, renderedAtMs }: Variant): Representation {
    const lastModified = this.#dependencies.sendsLastModified === true ? { lastModifiedMs: renderedAtMs } : {};
    return { mediaType: type, body, etag, maxAgeSeconds, ...lastModified };
  }
}

/** The key determines an SVG, so the entity tag is the key itself, or its hash if the key has other characters. */
const etagOf = (cacheKey: string): string =>
  /^[!#-~]{1,120}$/.test(cacheKey) ? `"${cacheKey}"` : `"${hash('sha256', cacheKey, 'base64url')}"`;

export type RenderedImage = Representation | Promise<Representation>;

export type SvgRenderer = {
  /** Returns the image with that key (one key per image), from the cache or newly drawn. */
  renderSvg(key: string, draw: () => string): RenderedImage;
};
