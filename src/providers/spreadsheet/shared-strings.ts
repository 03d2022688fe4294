// Stores each text of a workbook once ([MS-XLS] 2.4.265, SST), split into records.

import { u32, u8 } from '../../lib/bytes/pack-numbers.ts';
import { maxRecordBytes, type RecordStream } from './record-stream.ts';

const sstRecord = 0x00fc;
const continueRecord = 0x003c;

/** A cell of a spreadsheet can hold no more characters. */
const maxCharacters = 32_767;

/** Some readers count no further. */
const maxSharedTexts = 65_536;

/** The longest text that a cell can contain itself. */
const maxInlineCharacters = 255;

export class SharedStrings {
  readonly #indexes = new Map<string, number>();
  #totalCount = 0;

  /** The number of a text, by which cells refer to it; undefined if the cell must contain the text itself. */
  indexOf(text: string): number | undefined {
    const place = this.#indexes.get(text) ?? this.#addText(text);
    if (place !== undefined) this.#totalCount += 1;
    return place;
  }

  #addText(text: string): number | undefined {
    if (text.length > maxCharacters) throw new RangeError(`a cell holds at most ${maxCharacters} characters`);
    const place = this.#indexes.size;
    if (place >= maxSharedTexts && text.length <= maxInlineCharacters) return undefined;
    this.#indexes.set(text, place);
    return place;
  }

  write(records: RecordStream): void {
    let type = sstRecord;
    let parts: Buffer[] = [u32(this.#totalCount, this.#indexes.size)];
    let length = 8;
    const flush = (): void => {
      records.addRecord(type, ...parts);
      type = continueRecord;
      parts = [];
      length = 0;
    };
    const put = (part: Buffer): void => {
      if (length + part.length > maxRecordBytes) flush();
      parts.push(part);
      length += part.length;
    };
    for (const text of this.#indexes.keys()) for (const part of splitEncodedText(text)) put(part);
    flush();
  }
}

/** A text as in a record: its length, its width, and its characters, of one byte each if all are Latin-1. */
export function encodeRecordText(text: string): { flags: number; head: Buffer; characters: Buffer } {
  const isNarrow = !/[\u0100-\uFFFF]/.test(text);
  const flags = isNarrow ? 0 : 1;
  const characters = Buffer.from(text, isNarrow ? 'latin1' : 'utf16le');
  const head = Buffer.from([text.length & 0xff, text.length >> 8, flags]);
  return { flags, head, characters };
}

/**
 * A text in parts that fit into a record. Each part after the first begins a record and repeats the character width.
 */
function splitEncodedText(text: string): Buffer[] {
  const { flags, head, characters } = encodeRecordText(text);
  if (head.length + characters.length <= maxRecordBytes) return [Buffer.concat([head, characters])];
  const first = roundDownToEven(maxRecordBytes - head.length);
  const parts = [Buffer.concat([head, characters.subarray(0, first)])];
  for (let from = first; from < characters.length;) {
    const end = from + roundDownToEven(maxRecordBytes - 1);
    parts.push(Buffer.concat([u8(flags), characters.subarray(from, end)]));
    from = end;
  }
  return parts;
}

/** An even number of bytes, so that no character is cut in two. */
const roundDownToEven = (bytes: number): number => bytes - (bytes % 2);
