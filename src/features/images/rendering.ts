// From a drawing to what is answered: out of the cache of its family, or drawn anew in one of the family's places.

import { hash } from 'node:crypto';
import type { Representation } from '../../http/representation.ts';
import { Gate } from '../../lib/gate.ts';
import { Problem } from '../../lib/problem.ts';
import { etagInSlices } from '../../providers/cache/etag.ts';
import type { Variant, VariantCache } from '../../providers/cache/variant-cache.ts';

/** Requests of one family that may be at work at once. */
const places = 16;

/** Browsers keep an image for ten minutes. */
const maxAgeSeconds = 600;

const svgType = 'image/svg+xml';

/** Of so many pictures, at least, it is known that they were asked for. */
const namesKnown = 4096;

/** A name as it stands, where it is short and plain. */
const etagOfName = (name: string): string =>
  /^[!#-~]{1,120}$/.test(name) ? `"${name}"` : `"${hash('sha256', name, 'base64url')}"`;

type FamilyParts = {
  readonly cache: () => VariantCache;
  /** Names the drawings: what another version of the service kept is not asked for. */
  readonly edition: () => string;
  readonly dated?: boolean;
};

/** A family of images: its places, and its share of a cache. */
export class Family {
  readonly #name: string;
  readonly #cache: () => VariantCache;
  readonly #edition: () => string;
  readonly #dated: boolean;
  readonly #gate = new Gate(places, () => new Problem('too-many-renders'));
  readonly #underWay = new Map<string, Promise<Variant>>();
  #asked = new Set<string>();
  #askedBefore = new Set<string>();

  /** `dated`: answers say when they were drawn. */
  constructor(name: string, { cache, edition, dated = false }: FamilyParts) {
    this.#name = name;
    this.#cache = cache;
    this.#edition = edition;
    this.#dated = dated;
  }

  /** An SVG, which takes no longer to draw than to ask for; only where the disk is asked does it take a place. */
  svg(key: string, draw: () => string): Representation | Promise<Representation> {
    const name = this.#keyOf(key);
    const known = this.#cache().get(name);
    // What stands in it follows from its name, so that is what its tag is made of.
    const etag = etagOfName(name);
    const anew = (): Representation => {
      const text = draw();
      // A dated one has to keep its date.
      if (!this.#dated && this.#isFirst(name)) return { body: text, type: svgType, etag, maxAgeSeconds, isNew: true };
      return this.#answer(this.#cache().put(name, svgType, Buffer.from(text), etag), text);
    };
    if (known === undefined) return anew();
    if (!(known instanceof Promise)) return this.#answer(known);
    return this.#gate.hold(async () => {
      const kept = await known;
      return kept === undefined ? anew() : this.#answer(kept);
    });
  }

  /** An image that takes its time: in a place of the family, once for all who ask for it meanwhile. */
  raster(key: string, type: string, render: () => Promise<Buffer>): Representation | Promise<Representation> {
    const name = this.#keyOf(key);
    const known = this.#cache().get(name);
    if (known !== undefined && !(known instanceof Promise)) return this.#answer(known);
    return this.#gate.hold(async () => {
      const kept = await known;
      return kept === undefined
        ? { ...this.#answer(await this.#once(name, type, render)), isNew: true }
        : this.#answer(kept);
    });
  }

  /**
   * Most pictures that a path describes are never asked for again, and keeping one costs more than drawing it: it is kept
   * when it is asked for a second time.
   */
  #isFirst(name: string): boolean {
    if (this.#asked.has(name) || this.#askedBefore.has(name)) return false;
    if (this.#asked.size === namesKnown) {
      this.#askedBefore = this.#asked;
      this.#asked = new Set();
    }
    this.#asked.add(name);
    return true;
  }

  #once(name: string, type: string, render: () => Promise<Buffer>): Promise<Variant> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running;
    const begun = render()
      .then(async (body) => this.#cache().put(name, type, body, await etagInSlices(body)))
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, begun);
    return begun;
  }

  #keyOf(key: string): string {
    return `${this.#name}/${this.#edition()}/${key}`;
  }

  #answer({ type, body, etag, renderedAtMs }: Variant, text?: string): Representation {
    return {
      // A text and its head go out in one piece.
      body: text ?? (type === svgType ? body.toString() : body),
      type,
      etag,
      maxAgeSeconds,
      ...(this.#dated ? { lastModifiedMs: renderedAtMs } : {}),
    };
  }
}
