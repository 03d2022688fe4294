// Reuses buffers after their contents have been sent. New ones for every piece of a large file would keep the garbage
// collector busier than sending the file keeps the rest of the service.

type UsedBuffer = { readonly buffer: Buffer; length: number };

export class RecycledBuffers {
  readonly #bytes: number;
  readonly #most: number;
  /** The oldest first. */
  readonly #used: UsedBuffer[] = [];

  /** Keeps at most `most` buffers of `bytes` each. */
  constructor(bytes: number, most: number) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /**
   * Returns a buffer to be filled and handed on next. `unsentBytes` is how much of the bytes handed on is still on its
   * way: they are the latest ones, so that the buffers before them are free.
   */
  take(unsentBytes: number): Buffer {
    const [oldest, ...others] = this.#used;
    const laterBytes = others.reduce((sum, { length }) => sum + length, 0);
    if (oldest === undefined || laterBytes < unsentBytes) return Buffer.allocUnsafeSlow(this.#bytes);
    this.#used.shift();
    return oldest.buffer;
  }

  /** Notes that so many bytes of the buffer have been handed on. */
  give(buffer: Buffer, length: number): void {
    this.#used.push({ buffer, length });
    // If the client reads slowly, the oldest buffer is left to the garbage collector.
    if (this.#used.length > this.#most) this.#used.shift();
  }
}
