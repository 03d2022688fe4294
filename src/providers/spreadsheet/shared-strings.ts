// The texts of a workbook, each kept once ([MS-XLS] 2.4.265, SST), and cut into records.

import { maxRecordBytes, packed, type Records } from './records.ts';

const sst = 0x00fc;
const continued = 0x003c;

/** A cell of a spreadsheet holds no more. */
const maxCharacters = 32_767;

/** Some readers count no further. */
const maxShared = 65_536;

/** What a cell can hold itself. */
const maxUnshared = 255;

export class SharedStrings {
  readonly #places = new Map<string, number>();
  #uses = 0;

  /** The number of a text, by which cells refer to it; undefined where the cell is to hold it itself. */
  placeOf(text: string): number | undefined {
    const place = this.#places.get(text) ?? this.#keep(text);
    if (place !== undefined) this.#uses += 1;
    return place;
  }

  #keep(text: string): number | undefined {
    if (text.length > maxCharacters) throw new RangeError(`a cell holds at most ${maxCharacters} characters`);
    const place = this.#places.size;
    if (place >= maxShared && text.length <= maxUnshared) return undefined;
    this.#places.set(text, place);
    return place;
  }

  write(records: Records): void {
    let type = sst;
    let parts: Buffer[] = [packed([this.#uses, 4], [this.#places.size, 4])];
    let length = 8;
    const flush = (): void => {
      records.add(type, Buffer.concat(parts, length));
      type = continued;
      parts = [];
      length = 0;
    };
    const put = (part: Buffer): void => {
      if (length + part.length > maxRecordBytes) flush();
      parts.push(part);
      length += part.length;
    };
    for (const text of this.#places.keys()) for (const part of partsOf(text)) put(part);
    flush();
  }
}

/** A text as records spell it: its length, its width, and its characters, of one byte each where all are Latin-1. */
export function spelled(text: string): { flags: number; head: Buffer; characters: Buffer } {
  const isNarrow = !/[\u0100-\uFFFF]/.test(text);
  const flags = isNarrow ? 0 : 1;
  const characters = Buffer.from(text, isNarrow ? 'latin1' : 'utf16le');
  return { flags, head: packed([text.length, 2], [flags, 1]), characters };
}

/** A text in parts that fit a record; each after the first, at the start of a record of its own, tells its width again. */
function partsOf(text: string): Buffer[] {
  const { flags, head, characters } = spelled(text);
  if (head.length + characters.length <= maxRecordBytes) return [Buffer.concat([head, characters])];
  const first = evenly(maxRecordBytes - head.length);
  const parts = [Buffer.concat([head, characters.subarray(0, first)])];
  for (let from = first; from < characters.length;) {
    const end = from + evenly(maxRecordBytes - 1);
    parts.push(Buffer.concat([packed([flags, 1]), characters.subarray(from, end)]));
    from = end;
  }
  return parts;
}

/** No character is cut in two. */
const evenly = (bytes: number): number => bytes - (bytes % 2);
