// The content codings of answers and their levels, with Node's own zlib. @fastify/compress would stream every answer
// through libuv's threads without a length, compress it anew for each request, give all codings the same strong ETag,
// and skip the images that the framework does not serve.

import type { Readable } from 'node:stream';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { promisify } from 'node:util';

type Coder = {
  compressSync(body: Buffer | string): Buffer;
  /** Runs in a thread of libuv. */
  compress(body: Buffer | string): Promise<Buffer>;
  /** Passes on each chunk as soon as it is written: a client sees a file begin and grow, as without compression. */
  createStream(): Readable & NodeJS.WritableStream;
};

// The levels were measured on answers of the service. Each pair is the compression ratio and the processor time in
// microseconds for each kilobyte (Node 26.10, x64, one process):
//
//               unit group   account page   OpenAPI       CSV export
//               3.5 kB       73 kB          467 kB        2.6 MB
//   zstd 1       4.5   7.6   11.0   1.6     10.4   1.9     7.2   3.0   <- chosen
//   zstd 3       4.6   8.0   11.1   3.0     10.8   2.3     7.1   4.2
//   zstd 6       5.0  12.3   12.1   8.4     12.3   7.5     8.1  12.8
//   br 1         4.3   7.5    9.7   2.3      9.5   2.2     6.2   3.5
//   br 3         4.8  12.9   11.3   5.5     10.8   4.9     7.4   8.2   <- chosen
//   br 5         5.3  27.1   12.7  15.2     12.6  13.5     8.4  22.0
//   gzip 1       4.6  14.8    8.6   4.7      8.2   4.3     5.5   6.3
//   gzip 3       4.7  10.9    9.3   4.5      8.9   4.6     6.0   8.2   <- chosen
//   gzip 6       5.0  32.6   10.8  10.5     10.7  10.5     7.4  21.6
//
// The next levels would save little for two to four times the time. The window of brotli is 256 KiB, so that a stream
// holds less than a mebibyte: the default window would be 4 MiB.
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 };
const zstdParams = { [constants.ZSTD_c_compressionLevel]: 1 };
const gzipLevel = 3;

const coders = {
  zstd: {
    compressSync: (body) => zstdCompressSync(body, { params: zstdParams }),
    compress: (body) => promisify(zstdCompress)(body, { params: zstdParams }),
    createStream: () => createZstdCompress({ params: zstdParams, flush: constants.ZSTD_e_flush }),
  },
  br: {
    compressSync: (body) => brotliCompressSync(body, { params: brotliParams }),
    compress: (body) => promisify(brotliCompress)(body, { params: brotliParams }),
    createStream: () => createBrotliCompress({ params: brotliParams, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    compressSync: (body) => gzipSync(body, { level: gzipLevel }),
    compress: (body) => promisify(gzip)(body, { level: gzipLevel }),
    createStream: () => createGzip({ level: gzipLevel, flush: constants.Z_SYNC_FLUSH }),
  },
} as const satisfies Record<string, Coder>;

export type Coding = keyof typeof coders;

/** The service's own preference, for a client without one: the least time for about the same size. */
export const codings: readonly Coding[] = ['zstd', 'br', 'gzip'];

export const compressorOf = (coding: Coding): Coder => coders[coding];
