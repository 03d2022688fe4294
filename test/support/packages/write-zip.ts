// Writes ZIP archives as the packaging tool of Windows does, and every way in which one may be wrong.

import { constants, crc32, deflateRawSync } from 'node:zlib';

export type ZipFile = {
  readonly name: string;
  readonly content: Buffer;
  readonly method?: 'stored' | 'deflated';
  /** Changes the header of 30 bytes, or the record in the directory of 46 bytes. */
  readonly changeHeader?: (header: Buffer) => void;
  readonly changeRecord?: (record: Buffer) => void;
  /** Written after the data of the file, and told by no record. */
  readonly hidden?: Buffer;
};

export type ZipOptions = {
  /** Sizes after the data, as the packaging tool writes them. */
  readonly descriptors?: boolean;
  readonly zip64?: boolean;
  /** With ZIP64, the numbers stand in the last record as well. */
  readonly bothEnds?: boolean;
  readonly changeEnd?: (end: Buffer) => void;
};

export type WrittenFile = {
  readonly record: Buffer;
  readonly local: Buffer;
  readonly headerSize: number;
  /** Compressed, of each 64 KiB. */
  readonly blocks: readonly Buffer[];
};

const blockBytes = 65_536;

const splitBlocks = (content: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(content.length / blockBytes) }, (_, index) =>
    content.subarray(index * blockBytes, (index + 1) * blockBytes),
  );

/** Each block can be unpacked by itself. */
const deflateBlock = (block: Buffer): Buffer => deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });

export function writeZipFile(
  file: ZipFile,
  offset: number,
  { descriptors = false, zip64 = false }: ZipOptions,
): WrittenFile {
  const { content, method = 'deflated' } = file;
  const isDeflated = method === 'deflated';
  const blocks = splitBlocks(content).map((block) => (isDeflated ? deflateBlock(block) : block));
  const data = Buffer.concat([...blocks, ...(isDeflated ? [Buffer.from([3, 0])] : [])]);
  const name = Buffer.from(file.name);
  const checksum = crc32(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(zip64 ? 45 : 20, 4);
  header.writeUInt16LE(descriptors ? 8 : 0, 6);
  header.writeUInt16LE(isDeflated ? 8 : 0, 8);
  header.writeUInt32LE(0x0021_0000, 10);
  if (!descriptors) {
    header.writeUInt32LE(checksum, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(content.length, 22);
  }
  header.writeUInt16LE(name.length, 26);
  const extra = zip64 ? writeZip64Extra(content.length, data.length, offset) : Buffer.alloc(0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE(zip64 ? 45 : 20, 4);
  header.copy(record, 6, 4, 14);
  record.writeUInt32LE(checksum, 16);
  record.writeUInt32LE(zip64 ? 0xffff_ffff : data.length, 20);
  record.writeUInt32LE(zip64 ? 0xffff_ffff : content.length, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(zip64 ? 0xffff_ffff : offset, 42);
  file.changeHeader?.(header);
  file.changeRecord?.(record);
  const descriptor = descriptors ? [writeDescriptor(checksum, data.length, content.length, zip64)] : [];
  return {
    record: Buffer.concat([record, name, extra]),
    local: Buffer.concat([header, name, data, ...descriptor, file.hidden ?? Buffer.alloc(0)]),
    headerSize: header.length + name.length,
    blocks,
  };
}

function writeZip64Extra(size: number, compressedSize: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [size, compressedSize, offset].entries())
    extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return extra;
}

function writeDescriptor(checksum: number, compressedSize: number, size: number, zip64: boolean): Buffer {
  const descriptor = Buffer.alloc(zip64 ? 24 : 16);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(checksum, 4);
  if (zip64) {
    descriptor.writeBigUInt64LE(BigInt(compressedSize), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(compressedSize, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

/** The directory and what follows it. */
export function writeDirectory(
  records: readonly Buffer[],
  offset: number,
  { zip64 = false, bothEnds = false, changeEnd }: ZipOptions,
): Buffer {
  const isElsewhere = zip64 && !bothEnds;
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(isElsewhere ? 0xffff : records.length, 8);
  end.writeUInt16LE(isElsewhere ? 0xffff : records.length, 10);
  end.writeUInt32LE(isElsewhere ? 0xffff_ffff : directory.length, 12);
  end.writeUInt32LE(isElsewhere ? 0xffff_ffff : offset, 16);
  changeEnd?.(end);
  return Buffer.concat([directory, ...(zip64 ? writeZip64End(records.length, directory.length, offset) : []), end]);
}

function writeZip64End(count: number, size: number, offset: number): Buffer[] {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  for (const [index, value] of [count, count, size, offset].entries())
    end.writeBigUInt64LE(BigInt(value), 24 + index * 8);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return [end, locator];
}
