// Reads a range of an open file, no faster than the client takes it, and closes the file. The last piece is sent only if the
// file has not changed meanwhile: a client must not take a mixture of two files for one of them.

import type { FastifyReply } from 'fastify';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';
import { resetStream } from './reset-stream.ts';

export type FileRange = ByteRange & {
  readonly file: FileHandle;
  readonly isUnchanged: () => Promise<boolean>;
  readonly reply: FastifyReply;
};

const pieceBytes = 131_072;

export class FileRangeStream extends Readable {
  readonly #range: FileRange;
  #at: number;

  constructor(range: FileRange) {
    super({ highWaterMark: pieceBytes });
    this.#range = range;
    this.#at = range.first;
  }

  override _read(): void {
    this.#readPiece().then(
      (piece) => this.push(piece),
      (error: Error) => {
        resetStream(this.#range.reply);
        this.destroy(error);
      },
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A stream's method is given a callback.
    // oxlint-disable-next-line promise/no-promise-in-callback, promise/no-callback-in-promise
    this.#range.file.close().then(() => done(error), done);
  }

  /** Null after the last one. */
  async #readPiece(): Promise<Buffer | null> {
    const { file, last, isUnchanged } = this.#range;
    const length = Math.min(pieceBytes, last + 1 - this.#at);
    if (length === 0) return null;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, this.#at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was sent');
    this.#at += bytesRead;
    if (this.#at > last && !(await isUnchanged())) throw new Error('the file changed while it was sent');
    return buffer.subarray(0, bytesRead);
  }
}
