// Sends a success that is a file: streamed while the file is created, as an attachment, and never stored by caches.

import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { allowCompression, isCompressibleType } from '../representations/allow-compression.ts';
import type { DownloadPlace, DownloadQueue } from './download-queue.ts';
import type { RunOperation } from '../operations/operation.ts';
import type { Download } from '../representations/results.ts';
import { resetStream } from '../protocol/reset-stream.ts';
import { setLanguageHeaders } from './send-json.ts';

type DownloadChunk = Uint8Array | string;

type Sending = { readonly reply: FastifyReply; readonly place: DownloadPlace };

type SendDownloadInput = {
  readonly operation: RunOperation;
  readonly download: Download;
  readonly reply: FastifyReply;
  readonly queue: DownloadQueue;
};

/**
 * The download begins as soon as the download queue has a slot. A failure before the first bytes becomes a problem. A
 * later failure aborts the connection, so that no client takes a part of the file for the whole file.
 */
export async function sendDownload({ operation, download, reply, queue }: SendDownloadInput): Promise<FastifyReply> {
  const place = await queue.acquire(reply.request);
  try {
    const chunks = download.content[Symbol.asyncIterator]();
    const body = createBody(chunks, await chunks.next(), { reply, place });
    // Closes what the content still has open, at the end or when the client has gone away.
    body.once('close', () => {
      place.end();
      void chunks.return?.().catch(() => {});
    });
    setDownloadHeaders(operation, download, reply);
    return reply.send(body);
  } catch (error) {
    place.end();
    throw error;
  }
}

function setDownloadHeaders(operation: RunOperation, { mediaType, fileName }: Download, reply: FastifyReply): void {
  reply
    .header('cache-control', 'no-store')
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`);
  setLanguageHeaders(operation, reply);
  if (isCompressibleType(mediaType)) allowCompression(reply, 'each');
}

/** HEAD needs no content. It gets an empty stream, since the length of the file is not known. */
const createBody = (
  chunks: AsyncIterator<DownloadChunk>,
  first: IteratorResult<DownloadChunk>,
  sending: Sending,
): Readable =>
  sending.reply.request.method === 'HEAD'
    ? Readable.from([])
    : Readable.from(streamChunks(first, chunks, sending), byteStreamOptions);

const byteStreamOptions = { objectMode: false };

/** A client that does not take a chunk for so long lets others have the place. */
const slowAfterMs = 1000;

async function* streamChunks(
  first: IteratorResult<DownloadChunk>,
  rest: AsyncIterator<DownloadChunk>,
  { reply, place }: Sending,
): AsyncGenerator<DownloadChunk> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      const timer = setTimeout(place.pause, slowAfterMs);
      try {
        yield next.value;
      } finally {
        clearTimeout(timer);
      }
      await place.resume();
    }
  } catch (error) {
    resetStream(reply);
    throw error;
  }
}
