// Sends a success that is a file: streamed while it is made, as an attachment, and never stored by caches. A failure
// before the first bytes gets a problem; a later one aborts the connection, so that no client takes a part for the whole.

import type { FastifyReply } from 'fastify';
import { constants, type Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { setLanguageHeaders } from './send-result.ts';
import type { Operation } from './operation.ts';

export type Download = {
  /** The media type, as Content-Type has it. */
  readonly mediaType: string;
  /** ASCII without quotes: the service makes file names from KIDs and dates. */
  readonly fileName: string;
  /** Texts are sent as UTF-8. */
  readonly content: AsyncIterable<Uint8Array | string>;
};

type DownloadChunk = Uint8Array | string;

export async function sendDownload(
  operation: Operation,
  { mediaType, fileName, content }: Download,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const chunks = content[Symbol.asyncIterator]();
  const first = await chunks.next();
  reply
    .header('cache-control', 'no-store')
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`);
  setLanguageHeaders(operation, reply);
  // HEAD needs no content. It gets an empty stream, since the length of the file is not known.
  const body =
    reply.request.method === 'HEAD'
      ? Readable.from([])
      : Readable.from(streamChunks(first, chunks, reply), byteStreamOptions);
  // At the end, or when the client has gone away: closes what the content still has open.
  body.once('close', () => void chunks.return?.().catch(() => {}));
  return reply.send(body);
}

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

/** The framework destroys an HTTP/1.1 connection; an HTTP/2 stream it would end as if the file were complete. */
function resetStream({ raw }: FastifyReply): void {
  const { stream, headersSent } = raw as unknown as Partial<Pick<Http2ServerResponse, 'stream' | 'headersSent'>>;
  if (headersSent === true) stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
}
