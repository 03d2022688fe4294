// The format of SQLite's write-ahead log: a header, then frames of one page each, whose checksums form a chain from the
// header on. https://sqlite.org/fileformat2.html#the_write_ahead_log

export const walHeaderBytes = 32;
export const frameHeaderBytes = 24;

/** The last bit of the magic number says how the checksums read the words. */
const [magicLittleEndian, magicBigEndian] = [0x377f0682, 0x377f0683];
const formatVersion = 3_007_000;
const [minPageBytes, maxPageBytes] = [512, 65_536];

type Checksum = readonly [number, number];

export type WalHeader = {
  /** The bytes as they are in the file. Each time that the log begins anew it has another salt, and so other bytes. */
  readonly bytes: Buffer;
  readonly pageBytes: number;
  readonly isBigEndian: boolean;
  readonly checksum: Checksum;
};

/** So many frames of a log, and the checksum of the last one. */
export type WalPlace = { readonly frames: number; readonly checksum: Checksum };

/** Undefined where the bytes are no whole header. */
export function parseWalHeader(bytes: Buffer): WalHeader | undefined {
  if (bytes.length < walHeaderBytes) return undefined;
  const header = Buffer.from(bytes.subarray(0, walHeaderBytes));
  const magic = header.readUInt32BE(0);
  const pageBytes = header.readUInt32BE(8);
  if (magic !== magicLittleEndian && magic !== magicBigEndian) return undefined;
  if (header.readUInt32BE(4) !== formatVersion || !isPageSize(pageBytes)) return undefined;
  const isBigEndian = magic === magicBigEndian;
  const checksum = addToChecksum([0, 0], header.subarray(0, 24), isBigEndian);
  return isEqualChecksum(checksum, readChecksum(header, 24))
    ? { bytes: header, pageBytes, isBigEndian, checksum }
    : undefined;
}

const isPageSize = (bytes: number): boolean =>
  bytes >= minPageBytes && bytes <= maxPageBytes && (bytes & (bytes - 1)) === 0;

export const frameBytes = ({ pageBytes }: WalHeader): number => frameHeaderBytes + pageBytes;

export const offsetOfFrame = (header: WalHeader, frames: number): number =>
  walHeaderBytes + frames * frameBytes(header);

export const beginningOf = (header: WalHeader): WalPlace => ({ frames: 0, checksum: header.checksum });

export const isSameLog = (a: WalHeader | undefined, b: WalHeader | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.bytes.equals(b.bytes));

export const isSamePlace = (a: WalPlace, b: WalPlace): boolean =>
  a.frames === b.frames && isEqualChecksum(a.checksum, b.checksum);

const isEqualChecksum = (a: Checksum, b: Checksum): boolean => a[0] === b[0] && a[1] === b[1];

const readChecksum = (bytes: Buffer, offset: number): Checksum => [
  bytes.readUInt32BE(offset),
  bytes.readUInt32BE(offset + 4),
];

function addToChecksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [s0, s1] = [first, second];
  for (let index = 0; index < bytes.length; index += 8) {
    s0 = (s0 + words.getUint32(index, !isBigEndian) + s1) >>> 0;
    s1 = (s1 + words.getUint32(index + 4, !isBigEndian) + s0) >>> 0;
  }
  return [s0, s1];
}

export type Frame = {
  readonly page: number;
  /** The pages of the database after the commit that ends with this frame; 0 in any other frame. */
  readonly pagesAfterCommit: number;
  readonly content: Buffer;
  readonly after: WalPlace;
};

/** The frames at the beginning of `bytes` that go on from `from` in this log: the chain ends at what is no frame of it. */
export function* readFrames(header: WalHeader, from: WalPlace, bytes: Buffer): Generator<Frame, void> {
  const size = frameBytes(header);
  let { frames, checksum } = from;
  for (let index = 0; index + size <= bytes.length; index += size) {
    const frame = bytes.subarray(index, index + size);
    const [page, pagesAfterCommit] = [frame.readUInt32BE(0), frame.readUInt32BE(4)];
    if (page === 0 || !hasSalts(header, frame)) return;
    checksum = addToChecksum(checksum, frame.subarray(0, 8), header.isBigEndian);
    checksum = addToChecksum(checksum, frame.subarray(frameHeaderBytes), header.isBigEndian);
    if (!isEqualChecksum(checksum, readChecksum(frame, 16))) return;
    frames += 1;
    yield { page, pagesAfterCommit, content: frame.subarray(frameHeaderBytes), after: { frames, checksum } };
  }
}

const hasSalts = (header: WalHeader, frame: Buffer): boolean => frame.compare(header.bytes, 16, 24, 8, 16) === 0;

/** Whether this is the head of the last frame before `place`. */
export const endsAt = (header: WalHeader, { checksum }: WalPlace, frameHead: Buffer): boolean =>
  frameHead.length >= frameHeaderBytes &&
  hasSalts(header, frameHead) &&
  isEqualChecksum(readChecksum(frameHead, 16), checksum);
