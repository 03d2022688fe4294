// Keeps the last bytes of a text that comes in pieces, in bounded memory.

export class ByteTail {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #keptBytes = 0;
  #readBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes were pushed in all. */
  get readBytes(): number {
    return this.#readBytes;
  }

  push(piece: Uint8Array): void {
    this.#readBytes += piece.length;
    const kept = piece.subarray(Math.max(0, piece.length - this.#maxBytes));
    this.#pieces.push(kept);
    this.#keptBytes += kept.length;
    // A piece that is partly too old stays whole until the end.
    let dropped = 0;
    for (const { length } of this.#pieces) {
      if (this.#keptBytes - length < this.#maxBytes) break;
      this.#keptBytes -= length;
      dropped += 1;
    }
    if (dropped > 0) this.#pieces = this.#pieces.slice(dropped);
  }

  /** The whole lines among the last bytes. What is no UTF-8 becomes U+FFFD. `isCut`: lines before them were left out. */
  readLines(): { readonly lines: readonly string[]; readonly isCut: boolean } {
    const bytes = Buffer.concat(this.#pieces);
    const isCut = this.#readBytes > this.#maxBytes;
    const text = new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - this.#maxBytes)));
    const lines = text.split(/\r?\n/);
    // The first one may have begun before; the last one is what follows the last line end.
    if (isCut && lines.length > 1) lines.shift();
    if (lines.at(-1) === '') lines.pop();
    return { lines, isCut };
  }
}
