// Takes lines and counted bytes from a stream.

import { CopyError } from './copy-error.ts';

const lineFeed = 0x0a;
const maxLineBytes = 4096;

export class ContentReader {
  readonly #content: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async readLine(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(lineFeed);
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end);
      if (this.#held.length > maxLineBytes) throw new CopyError('has a head that is too long');
      const more = await this.#next();
      if (more === undefined && this.#held.length === 0) return undefined;
      if (more === undefined) throw new CopyError('is cut short in a head');
      this.#held = Buffer.concat([this.#held, more]);
    }
  }

  /** Undefined where there are fewer. */
  async readBytes(count: number): Promise<Buffer | undefined> {
    const pieces = [this.#held];
    let length = this.#held.length;
    while (length < count) {
      const more = await this.#next();
      if (more === undefined) return undefined;
      pieces.push(more);
      length += more.length;
    }
    this.#held = Buffer.concat(pieces, length);
    return this.#take(count);
  }

  /** Reads bytes in pieces. Throws CopyError where there are fewer. */
  async *readPieces(count: number): AsyncGenerator<Buffer, void> {
    for (let left = count; left > 0;) {
      if (this.#held.length === 0) {
        const more = await this.#next();
        if (more === undefined) throw new CopyError('is cut short');
        this.#held = more;
      }
      const piece = this.#take(Math.min(left, this.#held.length));
      left -= piece.length;
      yield piece;
    }
  }

  async *rest(): AsyncGenerator<Buffer, void> {
    yield this.#take(this.#held.length);
    for (let more = await this.#next(); more !== undefined; more = await this.#next()) yield more;
  }

  #take(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#content.next();
    if (next.done === true) return undefined;
    return Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
  }
}
