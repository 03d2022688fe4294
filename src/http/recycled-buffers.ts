// Buffers that are used again when what was in them has been sent. New ones for every piece of a large file would keep the
// garbage collector busier than sending the file keeps everybody else.

type UsedBuffer = { readonly buffer: Buffer; length: number };

export class RecycledBuffers {
  readonly #bytes: number;
  readonly #most: number;
  /** The oldest first. */
  readonly #used: UsedBuffer[] = [];

  /** At most so many buffers, of so many bytes each, are kept. */
  constructor(bytes: number, most: number) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /**
   * A buffer to be filled and handed on next. `unsentBytes` is how much of what was handed on is still on its way: it is
   * what was handed on last, so that the buffers before it are free.
   */
  take(unsentBytes: number): Buffer {
    const [oldest, ...others] = this.#used;
    const laterBytes = others.reduce((sum, { length }) => sum + length, 0);
    if (oldest === undefined || laterBytes < unsentBytes) return Buffer.allocUnsafeSlow(this.#bytes);
    this.#used.shift();
    return oldest.buffer;
  }

  /** Says that so many bytes of the buffer have been handed on. */
  give(buffer: Buffer, length: number): void {
    this.#used.push({ buffer, length });
    // A client that reads slowly: the oldest is left to the garbage collector.
    if (this.#used.length > this.#most) this.#used.shift();
  }
}
