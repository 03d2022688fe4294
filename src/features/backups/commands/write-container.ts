// Writes the container of a backup: a first line in the clear, then the content, compressed and, with a key file, encrypted.

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { appendChecksum } from '../rules/checksum.ts';
import { deriveKey, encryptChunks } from '../rules/chunk-cipher.ts';
import { formatPrelude, type ContainerFormat } from '../rules/prelude.ts';

/** Takes all bytes of a file. */
export type Sink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

const saltBytes = 32;

export async function writeContainer(
  format: ContainerFormat,
  content: AsyncIterable<Uint8Array>,
  keyFile: Uint8Array | undefined,
  sink: Sink,
): Promise<void> {
  const salt = keyFile === undefined ? undefined : randomBytes(saltBytes);
  const prelude = formatPrelude({ salt }, format);
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const close = async function* (compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from(prelude);
    const checked = appendChecksum(prelude, compressed);
    if (keyFile === undefined || salt === undefined) yield* checked;
    else yield* encryptChunks(deriveKey(keyFile, salt, prelude), checked);
  };
  await pipeline(Readable.from(content), compress, close, sink);
}
