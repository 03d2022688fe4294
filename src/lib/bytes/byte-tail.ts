// Keeps the last bytes of a text that comes in pieces, in bounded memory.

const nothing = new Uint8Array();

export class ByteTail {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  /** Those before it were left out. */
  #firstAt = 0;
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
    if (piece.length === 0) return;
    this.#readBytes += piece.length;
    const kept = piece.subarray(Math.max(0, piece.length - this.#maxBytes));
    this.#pieces.push(kept);
    this.#keptBytes += kept.length;
    // A piece that is partly too old stays whole until the end.
    while (this.#firstAt < this.#pieces.length) {
      const { length = 0 } = this.#pieces[this.#firstAt] ?? {};
      if (this.#keptBytes - length < this.#maxBytes) break;
      this.#pieces[this.#firstAt] = nothing;
      this.#firstAt += 1;
      this.#keptBytes -= length;
    }
    // Not each time: each of a hundred thousand small pieces would move all the others.
    if (this.#firstAt * 2 < this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#firstAt);
    this.#firstAt = 0;
  }

  /** The whole lines among the last bytes. Bytes that are not UTF-8 become U+FFFD. `isCut`: earlier lines were left out. */
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
