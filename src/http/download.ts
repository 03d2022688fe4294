// Sends a success that is a file: streamed while it is made, as an attachment, and never stored by caches. It begins as
// soon as it has a place. A failure before the first bytes gets a problem; a later one aborts the connection, so that no
// client takes a part for the whole.

import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { allowCompression, isCompressibleType } from './compression/allow-compression.ts';
import type { DownloadPlaces } from './download-places.ts';
import type { Operation } from './operation.ts';
import { resetStream } from './reset-stream.ts';
import { setLanguageHeaders } from './send-result.ts';

export type Download = {
  /** The media type, as Content-Type has it. */
  readonly mediaType: string;
  /** ASCII without quotes: the service makes file names from KIDs and dates. */
  readonly fileName: string;
  /** Texts are sent as UTF-8. */
  readonly content: AsyncIterable<Uint8Array | string>;
};

type DownloadChunk = Uint8Array | string;

type SendDownloadInput = {
  readonly operation: Operation;
  readonly download: Download;
  readonly reply: FastifyReply;
  readonly places: DownloadPlaces;
};

export async function sendDownload({ operation, download, reply, places }: SendDownloadInput): Promise<FastifyReply> {
  const release = await places.acquire(reply.request);
  try {
    const chunks = download.content[Symbol.asyncIterator]();
    const body = createBody(chunks, await chunks.next(), reply);
    // At the end, or when the client has gone away: closes what the content still has open.
    body.once('close', () => {
      release();
      void chunks.return?.().catch(() => {});
    });
    setDownloadHeaders(operation, download, reply);
    return reply.send(body);
  } catch (error) {
    release();
    throw error;
  }
}

function setDownloadHeaders(operation: Operation, { mediaType, fileName }: Download, reply: FastifyReply): void {
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
  reply: FastifyReply,
): Readable =>
  reply.request.method === 'HEAD'
    ? Readable.from([])
    : Readable.from(streamChunks(first, chunks, reply), byteStreamOptions);

const byteStreamOptions = { objectMode: false };

async function* streamChunks(
  first: IteratorResult<DownloadChunk>,
  rest: AsyncIterator<DownloadChunk>,
  reply: FastifyReply,
): AsyncGenerator<DownloadChunk> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } catch (error) {
    resetStream(reply);
    throw error;
  }
}
