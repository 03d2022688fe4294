// Decodes the content coding of a body, complete or truncated.

import { constants, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export const contentCodings = ['zstd', 'br', 'gzip'] as const;

/** Throws if the body is not complete. */
export function decodeBody(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes;
  if (coding === 'zstd') return zstdDecompressSync(bytes);
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

/** The readable part of a truncated body. */
export function decodeBeginning(bytes: Buffer, coding: string): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === 'zstd') return zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush });
  return coding === 'br'
    ? brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH })
    : gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}
