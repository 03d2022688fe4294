// Bytes of a file -> text, in blocks. The encoding is the one that is named, or detected in the first block.

import { isUtf8 } from 'node:buffer';
import { countLineBreaks, UnreadableFile } from './source-row.ts';

export const textEncodings = ['utf-8', 'windows-1252', 'iso-8859-15'] as const;
export type TextEncoding = (typeof textEncodings)[number];

export type DecodedText = {
  readonly encoding: TextEncoding;
  /** The text after the byte order mark. No block is empty. */
  readonly blocks: AsyncGenerator<string, undefined>;
};

const blockBytes = 65_536;

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

const beginsWith = (bytes: Uint8Array, mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.length));

/** Throws an UnreadableFile, and its blocks do too: a byte that is not of the encoding can come late. */
export async function decodeText(source: AsyncIterable<Uint8Array>, named?: TextEncoding): Promise<DecodedText> {
  const blocks = splitIntoBlocks(source);
  const { value: first = new Uint8Array() } = await blocks.next();
  try {
    const encoding = chooseEncoding(first, named);
    return { encoding, blocks: decodeBlocks(first, blocks, encoding) };
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
}

/** Each block is only valid until the next one is asked for. */
async function* splitIntoBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const block = new Uint8Array(blockBytes);
  let filled = 0;
  for await (const chunk of source) {
    for (let index = 0; index < chunk.length;) {
      const part = chunk.subarray(index, index + blockBytes - filled);
      block.set(part, filled);
      index += part.length;
      filled += part.length;
      if (filled < blockBytes) continue;
      yield block;
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

function chooseEncoding(first: Uint8Array, named: TextEncoding | undefined): TextEncoding {
  if (utf16Marks.some((mark) => beginsWith(first, mark)))
    throw new UnreadableFile('encoding-not-supported', 1, 'The file is in UTF-16. Save it as CSV in UTF-8.');
  const hasUtf8Mark = beginsWith(first, utf8Mark);
  // Decoded as named, each letter beyond ASCII would be another text.
  if (hasUtf8Mark && named !== undefined && named !== 'utf-8')
    throw new UnreadableFile('encoding-differs', 1, `The file begins with the mark of UTF-8, and is not in ${named}.`);
  const complete = first.subarray(0, first.length - incompleteLength(first));
  return named ?? (hasUtf8Mark || isUtf8(complete) ? 'utf-8' : 'windows-1252');
}

async function* decodeBlocks(
  first: Uint8Array,
  others: AsyncGenerator<Uint8Array, undefined>,
  encoding: TextEncoding,
): AsyncGenerator<string, undefined> {
  try {
    const decoder = new BlockDecoder(encoding);
    const isMarked = encoding === 'utf-8' && beginsWith(first, utf8Mark);
    const text = decoder.decode(isMarked ? first.subarray(utf8Mark.length) : first);
    if (text !== '') yield text;
    for await (const block of others) yield decoder.decode(block);
    decoder.end();
  } finally {
    await others.return(undefined);
  }
}

/** No byte of these encodings is one of the controls of C1: a text that seems to have one is in another encoding. */
const isWrong = (text: string, encoding: TextEncoding): boolean => encoding !== 'utf-8' && /[\u0080-\u009F]/.test(text);

/** Decodes strictly, and knows the line of what cannot be decoded. */
class BlockDecoder {
  readonly #encoding: TextEncoding;
  readonly #decoder: TextDecoder;
  #rest: Uint8Array = new Uint8Array();
  #line = 1;
  #endedWithCr = false;

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  }

  decode(block: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const complete = bytes.length - (this.#encoding === 'utf-8' ? incompleteLength(bytes) : 0);
    // A copy: the block will be filled anew.
    this.#rest = bytes.slice(complete);
    const whole = bytes.subarray(0, complete);
    if (!this.#isValid(whole)) throw this.#undecodable(this.#line + this.#validLines(whole));
    const text = this.#decoder.decode(whole);
    this.#countLines(text);
    return text;
  }

  end(): void {
    if (this.#rest.length > 0) throw this.#undecodable(this.#line);
  }

  #isValid(bytes: Uint8Array): boolean {
    return this.#encoding === 'utf-8' ? isUtf8(bytes) : !isWrong(this.#decoder.decode(bytes), this.#encoding);
  }

  /** The number of lines before the one that is not valid. A line break is no part of a longer sequence. */
  #validLines(bytes: Uint8Array): number {
    const lines = Buffer.from(bytes)
      .toString('latin1')
      .split(/\r\n|\r|\n/);
    return lines.findIndex((line) => !this.#isValid(Buffer.from(line, 'latin1')));
  }

  #countLines(text: string): void {
    if (this.#endedWithCr && text.startsWith('\n')) this.#line -= 1;
    this.#line += countLineBreaks(text);
    if (text !== '') this.#endedWithCr = text.endsWith('\r');
  }

  #undecodable(line: number): UnreadableFile {
    return new UnreadableFile(
      'undecodable-byte',
      line,
      `Line ${line} has a byte that is not ${this.#encoding}. Name the encoding of the file.`,
    );
  }
}

/** The length of a sequence of UTF-8 at the end that needs more bytes. */
function incompleteLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length < wanted ? length : 0;
  }
  return 0;
}
