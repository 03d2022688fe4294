// Reads the end of a ZIP archive, which locates its directory: the record of 22 bytes at the end of the file, and the
// two ZIP64 records before it, if there are any.

import type { ByteSource } from './byte-source.ts';
import { PackageFault } from './package-fault.ts';
import { toSafeInteger } from './zip64-sizes.ts';

export type EndOfDirectory = {
  readonly entryCount: number;
  readonly directoryOffset: number;
  readonly directorySize: number;
  /** The record at the end of the file. */
  readonly endRecord: Buffer;
  /** The ZIP64 record and its locator, if there are any. */
  readonly zip64Records: { readonly end: Buffer; readonly locator: Buffer } | undefined;
};

const endRecordBytes = 22;
const locatorBytes = 20;
const zip64EndBytes = 56;

/** Throws PackageFault. */
export async function readEndOfDirectory(source: ByteSource): Promise<EndOfDirectory> {
  const endOffset = source.size - endRecordBytes;
  if (endOffset < 0) throw new PackageFault('the file is too short to be a package');
  const endRecord = await source.read(endOffset, endRecordBytes);
  if (endRecord.readUInt32LE(0) !== 0x0605_4b50 || endRecord.readUInt16LE(20) !== 0)
    throw new PackageFault(
      'the file does not end as a ZIP archive does: it is none, is cut short, or has a comment or other bytes at its end',
    );
  const zip64 = await readZip64Records(source, endOffset);
  const found = {
    entryCount: pickNumber(endRecord.readUInt16LE(10), 0xffff, zip64?.end.readBigUInt64LE(32)),
    directorySize: pickNumber(endRecord.readUInt32LE(12), 0xffff_ffff, zip64?.end.readBigUInt64LE(40)),
    directoryOffset: pickNumber(endRecord.readUInt32LE(16), 0xffff_ffff, zip64?.end.readBigUInt64LE(48)),
  };
  const directoryEnd = zip64?.offset ?? endOffset;
  if (found.directoryOffset + found.directorySize !== directoryEnd)
    throw new PackageFault('the directory of the archive is not where its end says');
  requireOneDisk(endRecord, zip64 !== undefined);
  return { ...found, endRecord, zip64Records: zip64 && { end: zip64.end, locator: zip64.locator } };
}

/**
 * Checks the numbers of disks, which the signature does not cover. With ZIP64, all bits of any number in this record
 * may be set.
 */
function requireOneDisk(endRecord: Buffer, isZip64: boolean): void {
  const disks = [endRecord.readUInt16LE(4), endRecord.readUInt16LE(6)];
  const isOne = disks.every((disk) => disk === 0 || (isZip64 && disk === 0xffff));
  if (!isOne || endRecord.readUInt16LE(8) !== endRecord.readUInt16LE(10))
    throw new PackageFault('the archive is one part of several');
}

/**
 * Picks the number of the ZIP64 record. The narrow number must be the same, or have all bits set: no two may conflict.
 */
function pickNumber(narrow: number, all: number, wide: bigint | undefined): number {
  if (wide === undefined) return narrow;
  if (narrow !== all && BigInt(narrow) !== wide)
    throw new PackageFault('the two end records of the archive have different numbers');
  return toSafeInteger('the archive', wide);
}

async function readZip64Records(
  source: ByteSource,
  endOffset: number,
): Promise<{ readonly end: Buffer; readonly locator: Buffer; readonly offset: number } | undefined> {
  const locatorOffset = endOffset - locatorBytes;
  if (locatorOffset < 0) return undefined;
  const locator = await source.read(locatorOffset, locatorBytes);
  if (locator.readUInt32LE(0) !== 0x0706_4b50) return undefined;
  const offset = toSafeInteger('the archive', locator.readBigUInt64LE(8));
  if (offset !== locatorOffset - zip64EndBytes)
    throw new PackageFault('the ZIP64 end record is not where it should be');
  const end = await source.read(offset, zip64EndBytes);
  // The record's length does not count its first 12 bytes, which include the length itself.
  if (end.readUInt32LE(0) !== 0x0606_4b50 || end.readBigUInt64LE(4) !== BigInt(zip64EndBytes - 12))
    throw new PackageFault('the ZIP64 end record is damaged');
  const disks = [locator.readUInt32LE(4), end.readUInt32LE(16), end.readUInt32LE(20)];
  if (disks.some((disk) => disk !== 0) || end.readBigUInt64LE(24) !== end.readBigUInt64LE(32))
    throw new PackageFault('the archive is one part of several');
  return { end, locator, offset };
}
