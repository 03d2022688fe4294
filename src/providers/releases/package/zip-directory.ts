// Reads the directory of a ZIP archive (PKWARE APPNOTE 6.3) as strictly as a package allows: every byte of the file
// belongs to one record, and the headers of the files agree with the directory.

import type { ByteSource } from './byte-source.ts';
import { PackageFault } from './package-fault.ts';
import { decodePartName } from './part-name.ts';
import { readEndOfDirectory, type EndOfDirectory } from './zip-end.ts';
import { readZip64Sizes } from './zip64-sizes.ts';

export type PackageEntry = {
  /** The name in the archive: percent-encoded, with slashes. */
  readonly name: string;
  /** The decoded file name. */
  readonly decodedName: string;
  readonly method: 'stored' | 'deflated';
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly headerOffset: number;
  /** The length of the local header, with name and extra field. */
  readonly headerSize: number;
};

export type ZipDirectory = EndOfDirectory & {
  /** The files, in the order of their bytes. */
  readonly entries: readonly PackageEntry[];
  /** The records of the directory, in its order. */
  readonly records: readonly { readonly name: string; readonly bytes: Buffer }[];
};

type ZipLimits = {
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
  readonly maxDirectoryBytes: number;
};

type DirectoryRecord = Omit<PackageEntry, 'headerSize'> & { readonly flags: number; readonly bytes: Buffer };

const centralHeaderBytes = 46;
const localHeaderBytes = 30;
const methods: ReadonlyMap<number, PackageEntry['method']> = new Map([
  [0, 'stored'],
  [8, 'deflated'],
]);

const encryptedFlag = 0x0001;
const descriptorFlag = 0x0008;
const utf8Flag = 0x0800;
/** Deflate's options, sizes after the data, and names in UTF-8. */
const knownFlags = 0x0006 | descriptorFlag | utf8Flag;

/** Throws PackageFault. */
export async function readZipDirectory(source: ByteSource, limits: ZipLimits): Promise<ZipDirectory> {
  const end = await readEndOfDirectory(source);
  if (end.entryCount > limits.maxEntries)
    throw new PackageFault(`the archive has ${end.entryCount} files; at most ${limits.maxEntries} are accepted`);
  if (end.directorySize > limits.maxDirectoryBytes)
    throw new PackageFault(`the directory of the archive has ${end.directorySize} bytes: too many`);
  const records = readRecords(await source.read(end.directoryOffset, end.directorySize), end.entryCount);
  requireDistinctNames(records);
  const totalBytes = records.reduce((sum, { size }) => sum + size, 0);
  if (totalBytes > limits.maxTotalBytes)
    throw new PackageFault(`the files have ${totalBytes} bytes in all; at most ${limits.maxTotalBytes} are accepted`);
  const entries = await readLocalHeaders(source, records, end.directoryOffset);
  return { ...end, entries, records: records.map(({ name, bytes }) => ({ name, bytes })) };
}

function readRecords(directory: Buffer, entryCount: number): DirectoryRecord[] {
  const records: DirectoryRecord[] = [];
  let offset = 0;
  while (offset < directory.length) {
    const record = readRecord(directory.subarray(offset));
    records.push(record);
    offset += record.bytes.length;
  }
  if (records.length !== entryCount)
    throw new PackageFault(`the directory of the archive has ${records.length} files, and its end says ${entryCount}`);
  return records;
}

function readRecord(rest: Buffer): DirectoryRecord {
  if (rest.length < centralHeaderBytes || rest.readUInt32LE(0) !== 0x0201_4b50)
    throw new PackageFault('the directory of the archive has bytes that are not the record of a file');
  const [nameLength, extraLength, commentLength] = [
    rest.readUInt16LE(28),
    rest.readUInt16LE(30),
    rest.readUInt16LE(32),
  ];
  const length = centralHeaderBytes + nameLength + extraLength + commentLength;
  if (rest.length < length) throw new PackageFault('the directory of the archive is cut short');
  const flags = rest.readUInt16LE(8);
  const name = decodeName(rest.subarray(centralHeaderBytes, centralHeaderBytes + nameLength), flags);
  if (commentLength > 0) throw new PackageFault(`${name} has a comment in the archive`);
  if ((flags & encryptedFlag) !== 0) throw new PackageFault(`${name} is encrypted`);
  if ((flags & ~knownFlags) !== 0) throw new PackageFault(`${name} uses a feature of ZIP that packages do not have`);
  const method = methods.get(rest.readUInt16LE(10));
  if (method === undefined)
    throw new PackageFault(`${name} is compressed by method ${rest.readUInt16LE(10)}; only 0 and 8 are allowed`);
  const extra = rest.subarray(centralHeaderBytes + nameLength, centralHeaderBytes + nameLength + extraLength);
  const sizes = readZip64Sizes(name, extra, {
    size: rest.readUInt32LE(24),
    compressedSize: rest.readUInt32LE(20),
    headerOffset: rest.readUInt32LE(42),
  });
  if (method === 'stored' && sizes.size !== sizes.compressedSize)
    throw new PackageFault(`${name} is stored uncompressed, but has two different sizes`);
  return {
    ...sizes,
    name,
    decodedName: decodePartName(name),
    method,
    flags,
    crc32: rest.readUInt32LE(16),
    bytes: rest.subarray(0, length),
  };
}

function decodeName(bytes: Buffer, flags: number): string {
  const isAscii = bytes.every((byte) => byte < 0x80);
  if (!isAscii && (flags & utf8Flag) === 0) throw new PackageFault('a file name in the archive is not ASCII');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PackageFault('a file name in the archive is not UTF-8');
  }
}

/** File names in Windows are not case-sensitive. */
function requireDistinctNames(records: readonly DirectoryRecord[]): void {
  const seen = new Set<string>();
  for (const { name, decodedName } of records) {
    const key = decodedName.toLowerCase();
    if (seen.has(key))
      throw new PackageFault(`${name} is in the archive twice (names that differ in case count as one)`);
    seen.add(key);
  }
}

/**
 * The files must fill the archive from its first byte to the directory, without a gap in which something could hide.
 */
async function readLocalHeaders(
  source: ByteSource,
  records: readonly DirectoryRecord[],
  directoryOffset: number,
): Promise<PackageEntry[]> {
  const inOrder = records.toSorted((a, b) => a.headerOffset - b.headerOffset);
  const entries: PackageEntry[] = [];
  let expectedOffset = 0;
  for (const [index, record] of inOrder.entries()) {
    const { name, headerOffset, compressedSize } = record;
    if (headerOffset !== expectedOffset)
      throw new PackageFault(`there are bytes before ${name} in the archive that belong to no file, or files overlap`);
    const headerSize = await checkLocalHeader(source, record);
    const dataEnd = headerOffset + headerSize + compressedSize;
    const nextOffset = inOrder[index + 1]?.headerOffset ?? directoryOffset;
    if ((record.flags & descriptorFlag) !== 0) await checkDescriptor(source, record, dataEnd, nextOffset);
    expectedOffset = (record.flags & descriptorFlag) === 0 ? dataEnd : nextOffset;
    const { flags: _flags, bytes: _bytes, ...entry } = record;
    entries.push({ ...entry, headerSize });
  }
  if (expectedOffset !== directoryOffset)
    throw new PackageFault('there are bytes between the last file and the directory of the archive, or they overlap');
  return entries;
}

/** Returns its length. */
async function checkLocalHeader(source: ByteSource, record: DirectoryRecord): Promise<number> {
  const { name, headerOffset, flags, bytes } = record;
  const header = await source.read(headerOffset, localHeaderBytes);
  if (header.readUInt32LE(0) !== 0x0403_4b50) throw new PackageFault(`${name} is not where the directory says`);
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const variable = await source.read(headerOffset + localHeaderBytes, nameLength + extraLength);
  const inDirectory = bytes.subarray(centralHeaderBytes, centralHeaderBytes + bytes.readUInt16LE(28));
  const agrees =
    variable.subarray(0, nameLength).equals(inDirectory) &&
    header.readUInt16LE(6) === flags &&
    header.readUInt16LE(8) === bytes.readUInt16LE(10);
  if (!agrees) throw new PackageFault(`${name} has another header than the directory of the archive says`);
  if ((flags & descriptorFlag) === 0) {
    const sizes = readZip64Sizes(name, variable.subarray(nameLength), {
      size: header.readUInt32LE(22),
      compressedSize: header.readUInt32LE(18),
    });
    if (
      header.readUInt32LE(14) !== record.crc32 ||
      sizes.size !== record.size ||
      sizes.compressedSize !== record.compressedSize
    )
      throw new PackageFault(`${name} has another size or checksum in its header than in the directory of the archive`);
  }
  return localHeaderBytes + nameLength + extraLength;
}

/** Reads checksum and sizes after the data, of 4 or 8 bytes each, with or without a signature. */
async function checkDescriptor(
  source: ByteSource,
  { name, crc32, compressedSize, size }: DirectoryRecord,
  from: number,
  to: number,
): Promise<void> {
  const length = to - from;
  if (![12, 16, 20, 24].includes(length))
    throw new PackageFault(`there are bytes after ${name} in the archive that belong to no file, or files overlap`);
  const descriptor = await source.read(from, length);
  const hasSignature = length === 16 || length === 24;
  const values = descriptor.subarray(hasSignature ? 4 : 0);
  const isWide = length >= 20;
  const agrees =
    (!hasSignature || descriptor.readUInt32LE(0) === 0x0807_4b50) &&
    values.readUInt32LE(0) === crc32 &&
    (isWide ? Number(values.readBigUInt64LE(4)) : values.readUInt32LE(4)) === compressedSize &&
    (isWide ? Number(values.readBigUInt64LE(12)) : values.readUInt32LE(8)) === size;
  if (!agrees) throw new PackageFault(`${name} has another size or checksum after its data than in the directory`);
}
