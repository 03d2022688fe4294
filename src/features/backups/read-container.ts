// Reads the container of a backup, and proves it meanwhile: decryption, compression, and the checksum. Only after the last
// piece is it known to be whole.

import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { CopyError } from '../../../sqlite-follower/copy-error.ts';
import { checkChecksum } from './rules/checksum.ts';
import { decryptChunks, deriveKey } from './rules/chunk-cipher.ts';
import { formatPrelude, maxPreludeBytes, parsePrelude, type ContainerFormat } from './rules/prelude.ts';

const lineFeed = 0x0a;

/** Throws CopyError with what is wrong, and where. */
export async function* readContainer(
  format: ContainerFormat,
  source: AsyncIterable<Uint8Array>,
  keyFile: Uint8Array | undefined,
): AsyncGenerator<Uint8Array, void> {
  const { line, rest } = await takePrelude(source, format);
  const compressed = openContainer(format, line, rest, keyFile);
  const state = { isProven: false };
  const proven = async function* (): AsyncGenerator<Uint8Array, void> {
    yield* compressed;
    state.isProven = true;
  };
  // What fails is thrown to the reader of the last stream.
  const content = pipeline(Readable.from(proven()), createZstdDecompress(), () => {});
  yield* explainDecompression(content, line);
  if (!state.isProven) throw new CopyError('has something after its end');
}

function openContainer(
  format: ContainerFormat,
  line: string,
  rest: AsyncIterable<Uint8Array>,
  keyFile: Uint8Array | undefined,
): AsyncIterable<Uint8Array> {
  const prelude = parsePrelude(line, format);
  const text = formatPrelude(prelude, format);
  if (prelude.salt === undefined) {
    if (keyFile !== undefined) throw new CopyError('is not encrypted: it is not one that was written with a key file');
    return checkChecksum(text, rest);
  }
  if (keyFile === undefined) throw new CopyError('is encrypted: give the key file with --key-file');
  return checkChecksum(text, decryptChunks(deriveKey(keyFile, prelude.salt, text), rest, Buffer.byteLength(text)));
}

/** The first line without its end, and what follows it. */
async function takePrelude(
  source: AsyncIterable<Uint8Array>,
  { missing }: ContainerFormat,
): Promise<{ readonly line: string; readonly rest: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let taken = Buffer.alloc(0);
  while (!taken.subarray(0, maxPreludeBytes).includes(lineFeed)) {
    const next = taken.length < maxPreludeBytes ? await iterator.next() : undefined;
    if (next === undefined || next.done === true) throw new CopyError(taken.length === 0 ? 'is empty' : missing);
    taken = Buffer.concat([taken, next.value]);
  }
  const end = taken.indexOf(lineFeed);
  const rest = async function* (): AsyncGenerator<Uint8Array, void> {
    yield taken.subarray(end + 1);
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { line: taken.subarray(0, end).toString('latin1'), rest: rest() };
}

async function* explainDecompression(
  content: AsyncIterable<Uint8Array>,
  line: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* content;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== 'string' || !/^(?:Z_|ZSTD_)/.test(code)) throw error;
    throw new CopyError(
      `is damaged or cut short after its first ${Buffer.byteLength(line) + 1} bytes: it cannot be decompressed`,
    );
  }
}
