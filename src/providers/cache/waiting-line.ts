// What waits for the disk: the newest, within bounds. What is more never reaches it.

import type { Packed, Outgoing } from './protocol.ts';

export type LineBounds = { readonly maxVariants: number; readonly maxBytes: number };

export class WaitingLine {
  readonly #bounds: LineBounds;
  #line: Outgoing[] = [];
  /** Who stood before it has left. */
  #first = 0;
  #bytes = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#line.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(variant: Outgoing): void {
    this.#line.push(variant);
    this.#bytes += variant.body.length;
    while (this.length > this.#bounds.maxVariants || this.#bytes > this.#bounds.maxBytes) this.#leave();
  }

  /** The oldest, at least one if there is any. */
  take({ maxVariants, maxBytes }: LineBounds): Outgoing[] {
    const taken: Outgoing[] = [];
    let bytes = 0;
    while (this.length > 0 && taken.length < maxVariants && (taken.length === 0 || bytes < maxBytes)) {
      const variant = this.#leave();
      taken.push(variant);
      bytes += variant.body.length;
    }
    return taken;
  }

  /** Puts back what was taken, where it was. */
  giveBack(taken: readonly Outgoing[]): void {
    const all = [...taken, ...this.#line.slice(this.#first)];
    this.#line = [];
    this.#first = 0;
    this.#bytes = 0;
    for (const variant of all) this.add(variant);
  }

  #leave(): Outgoing {
    const variant = this.#line[this.#first] as Outgoing;
    this.#first += 1;
    this.#bytes -= variant.body.length;
    // Seldom enough to cost nothing, often enough that those who left are not held for long.
    if (this.#first >= 64 && this.#first * 2 >= this.#line.length) {
      this.#line = this.#line.slice(this.#first);
      this.#first = 0;
    }
    return variant;
  }
}

export function packed(variants: readonly Outgoing[]): Packed {
  const bodies = new Uint8Array(variants.reduce((sum, { body }) => sum + body.length, 0));
  let end = 0;
  const named = variants.map(({ body, ...rest }) => {
    bodies.set(body, end);
    end += body.length;
    return { ...rest, end };
  });
  return { named, bodies };
}
