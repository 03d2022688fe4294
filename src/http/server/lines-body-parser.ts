// Parses bodies of JSON Lines to their bytes, decompressed (RFC 9110, 8.4; RFC 8878). Only operations that take lines
// accept them.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { gunzip, zstdDecompress, type ZlibOptions, type ZstdOptions } from 'node:zlib';
import { Problem } from '../../lib/problem.ts';

const maxDecompressedBytes = 1_048_576;

type Decompress = (bytes: Buffer) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  identity: async (bytes) => bytes,
  gzip: (bytes) => promisify<Buffer, ZlibOptions, Buffer>(gunzip)(bytes, { maxOutputLength: maxDecompressedBytes }),
  zstd: (bytes) =>
    promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress)(bytes, { maxOutputLength: maxDecompressedBytes }),
};

export function addLinesBodyParser(app: FastifyInstance): void {
  const parse = async (request: FastifyRequest, bytes: Buffer): Promise<Buffer> => {
    const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined;
    if (request.routeOptions.config.takesLines !== true || decompress === undefined)
      throw new Problem('unsupported-media-type');
    try {
      return await decompress(bytes);
    } catch (error) {
      throw toBodyProblem(error);
    }
  };
  app.addContentTypeParser<Buffer>('application/jsonl', { parseAs: 'buffer' }, parse);
}

function toBodyProblem(error: unknown): Problem {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    ? new Problem('payload-too-large')
    : new Problem('malformed-body', { detail: 'The body cannot be decompressed.', cause: error });
}
