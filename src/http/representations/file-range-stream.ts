// Reads a range of an open file, no faster than the client takes it, and closes the file. The last piece is sent only
// if the file has not changed meanwhile: a client must not take a mixture of two files for one of them.

import type { FastifyReply } from 'fastify';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';
import { isHttp2 } from '../protocol/http-version.ts';
import { RecycledBuffers } from './recycled-buffers.ts';
import { resetStream } from '../protocol/reset-stream.ts';

type FileRange = ByteRange & {
  readonly file: FileHandle;
  readonly isUnchanged: () => Promise<boolean>;
  readonly reply: FastifyReply;
};

const pieceBytes = 65_536;
/** One is being sent, one waits, and one is being read. */
const mostBuffers = 3;

export class FileRangeStream extends Readable {
  /** Counts in addition to the buffers of every streamed answer. */
  readonly heldBytes = pieceBytes;
  readonly #range: FileRange;
  readonly #buffers = new RecycledBuffers(pieceBytes, mostBuffers);
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
    // A stream calls this method with a callback.
    // oxlint-disable-next-line promise/no-promise-in-callback, promise/no-callback-in-promise
    this.#range.file.close().then(() => done(error), done);
  }

  /** Null after the last piece. */
  async #readPiece(): Promise<Buffer | null> {
    const { file, last, isUnchanged } = this.#range;
    const length = Math.min(pieceBytes, last + 1 - this.#at);
    if (length === 0) return null;
    const buffer = this.#takeBuffer();
    const { bytesRead } = await file.read(buffer, 0, length, this.#at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was sent');
    this.#at += bytesRead;
    if (this.#at > last && !(await isUnchanged())) throw new Error('the file changed while it was sent');
    this.#buffers.give(buffer, bytesRead);
    return buffer.subarray(0, bytesRead);
  }

  #takeBuffer(): Buffer {
    const { raw, request } = this.#range.reply;
    // An HTTP/2 session sends from its own buffers, which its streams do not report.
    const unsentBytes = isHttp2(request.raw) ? Number.POSITIVE_INFINITY : this.readableLength + raw.writableLength;
    return this.#buffers.take(unsentBytes);
  }
}
