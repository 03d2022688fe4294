// Reads the sizes of a file that do not fit into 32 bits from its ZIP64 extra field (APPNOTE, 4.5.3).

import { PackageFault } from './package-fault.ts';

const inZip64 = 0xffff_ffff;
const zip64ExtraId = 0x0001;

type Sizes = { readonly size: number; readonly compressedSize: number; readonly headerOffset?: number };

/** Returns each of the sizes, from the extra field if all its bits are set. */
export function readZip64Sizes<T extends Sizes>(name: string, extra: Buffer, sizes: T): T {
  const wanted = (['size', 'compressedSize', 'headerOffset'] as const).filter((key) => sizes[key] === inZip64);
  const field = findExtraField(name, extra);
  if (wanted.length === 0) return sizes;
  if (field === undefined || field.length < wanted.length * 8)
    throw new PackageFault(`${name} lacks the sizes that its ZIP64 field should have`);
  const wide = wanted.map((key, index) => [key, toSafeInteger(name, field.readBigUInt64LE(index * 8))] as const);
  return { ...sizes, ...Object.fromEntries(wide) };
}

function findExtraField(name: string, extra: Buffer): Buffer | undefined {
  let found: Buffer | undefined;
  for (let index = 0; index < extra.length;) {
    const length = index + 4 <= extra.length ? extra.readUInt16LE(index + 2) : extra.length;
    if (index + 4 + length > extra.length) throw new PackageFault(`${name} has a damaged extra field in the archive`);
    if (extra.readUInt16LE(index) === zip64ExtraId) found ??= extra.subarray(index + 4, index + 4 + length);
    index += 4 + length;
  }
  return found;
}

export function toSafeInteger(name: string, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new PackageFault(`${name} has an impossible size`);
  return Number(value);
}
