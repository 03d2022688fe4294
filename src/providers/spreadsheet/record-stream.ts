// Writes BIFF8 records ([MS-XLS] 2.1.4), each with a type, a length, and at most 8,224 bytes.

export const maxRecordBytes = 8224;

const chunkBytes = 1 << 20;
const recordHeaderBytes = 4;

export class RecordStream {
  readonly #full: Buffer[] = [];
  #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  #at = 0;
  #bytes = 0;

  get byteLength(): number {
    return this.#bytes;
  }

  /** The stream, in pieces. */
  get chunks(): Buffer[] {
    return [...this.#full, this.#chunk.subarray(0, this.#at)];
  }

  /** Begins a record of so many bytes; returns the buffer for them. */
  beginRecord(type: number, length: number): { readonly chunk: Buffer; readonly offset: number } {
    if (length > maxRecordBytes) throw new RangeError(`a record cannot have ${length} bytes`);
    if (this.#at + recordHeaderBytes + length > chunkBytes) this.#startChunk();
    const chunk = this.#chunk;
    chunk.writeUInt16LE(type, this.#at);
    chunk.writeUInt16LE(length, this.#at + 2);
    const offset = this.#at + recordHeaderBytes;
    this.#at = offset + length;
    this.#bytes += recordHeaderBytes + length;
    return { chunk, offset };
  }

  addRecord(type: number, ...parts: readonly Uint8Array[]): void {
    const content = Buffer.concat(parts);
    const { chunk, offset } = this.beginRecord(type, content.length);
    chunk.set(content, offset);
  }

  #startChunk(): void {
    this.#full.push(this.#chunk.subarray(0, this.#at));
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
    this.#at = 0;
  }
}
