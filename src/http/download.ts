// A success that is a file: streamed while it is made, in an attachment, and never kept. What fails before the first
// bytes is a refusal like any other; after them the connection is cut, so that a part is never taken for the whole.

import type { FastifyReply } from 'fastify';
import { constants, type Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { setLanguageHeaders } from './send-result.ts';
import type { Operation } from './operation.ts';

export type Download = {
  /** The media type, as Content-Type has it. */
  readonly mediaType: string;
  /** ASCII without quotes: file names are made here, of KIDs and dates. */
  readonly fileName: string;
  /** Texts are sent as UTF-8. An error that it throws is the request's. */
  readonly content: AsyncIterable<Uint8Array | string>;
};

type DownloadChunk = Uint8Array | string;

export async function sendDownload(
  operation: Operation,
  { mediaType, fileName, content }: Download,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { request } = reply;
  const chunks = content[Symbol.asyncIterator]();
  const first = await chunks.next();
  reply
    .header('cache-control', 'no-store')
    .header('content-type', mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`);
  setLanguageHeaders(operation, request, reply);
  // Of HEAD the rest would be made for nobody; it is a stream all the same, as the length of the whole is not known.
  const body =
    request.method === 'HEAD'
      ? Readable.from([])
      : Readable.from(streamChunks(first, chunks, reply), byteStreamOptions);
  // At its end, or when the client has gone away: whatever is still open behind it is let go.
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

/** The framework cuts a connection of HTTP/1.1; a stream of HTTP/2 it would end as if the file were whole. */
function resetStream({ raw }: FastifyReply): void {
  const { stream, headersSent } = raw as unknown as Partial<Pick<Http2ServerResponse, 'stream' | 'headersSent'>>;
  if (headersSent === true) stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
}
