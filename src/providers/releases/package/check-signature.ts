// Compares a package with the digests that its signature lists: the records of the files (AXPC), the directory of the
// archive (AXCD), the content types (AXCT), the block map (AXBM), and the code integrity catalogue (AXCI) if there is
// one.

import { createHash } from 'node:crypto';
import type { PackageSignature } from './signature.ts';
import { isIssuedBy, signatureFile } from './signature.ts';
import { PackageFault } from './package-fault.ts';
import type { ZipDirectory, PackageEntry } from './zip-directory.ts';
import { isSameName } from './x500-name.ts';

type PartDigests = {
  /** The digest of all bytes before the signature's own record. */
  readonly records: Buffer;
  readonly contentTypes: Buffer;
  readonly blockMap: Buffer;
  readonly codeIntegrity: Buffer | undefined;
};

const partNames: Readonly<Record<string, string>> = {
  AXPC: 'the files in the archive',
  AXCD: 'the directory of the archive',
  AXCT: '[Content_Types].xml',
  AXBM: 'AppxBlockMap.xml',
  AXCI: 'AppxMetadata/CodeIntegrity.cat',
};

/** Throws PackageFault. */
export function checkDigests({ digests }: PackageSignature, directory: ZipDirectory, parts: PartDigests): void {
  const expected = new Map<string, Buffer | undefined>([
    ['AXPC', parts.records],
    ['AXCD', hashDirectory(directory)],
    ['AXCT', parts.contentTypes],
    ['AXBM', parts.blockMap],
    ['AXCI', parts.codeIntegrity],
  ]);
  for (const [part, digest] of expected) {
    const signed = digests.get(part);
    if (digest === undefined ? signed !== undefined : signed?.equals(digest) !== true)
      throw new PackageFault(`changed since it was signed: ${partNames[part]} (digest ${part})`);
  }
  const unknown = [...digests.keys()].find((part) => !expected.has(part));
  if (unknown !== undefined) throw new PackageFault(`the signature has a digest of an unknown part, ${unknown}`);
}

/** The signature must be the last file: the files before it existed when it was made. */
export function requireSignatureLast({ entries, records }: ZipDirectory): PackageEntry {
  const last = entries.at(-1);
  if (last?.name !== signatureFile || records.at(-1)?.name !== signatureFile)
    throw new PackageFault(
      `${signatureFile} is not the last file of the archive: the package was changed after it was signed`,
    );
  return last;
}

/** Hashes the directory and its end record as they were signed, which is without the signature. */
function hashDirectory(directory: ZipDirectory): Buffer {
  const { records, endRecord, zip64Records } = directory;
  const signed = records.filter(({ name }) => name !== signatureFile).map(({ bytes }) => bytes);
  const size = signed.reduce((sum, { length }) => sum + length, 0);
  const offset = requireSignatureLast(directory).headerOffset;
  const hash = createHash('sha256');
  for (const bytes of signed) hash.update(bytes);
  if (zip64Records !== undefined) {
    const [end, locator] = [Buffer.from(zip64Records.end), Buffer.from(zip64Records.locator)];
    end.writeBigUInt64LE(BigInt(signed.length), 24);
    end.writeBigUInt64LE(BigInt(signed.length), 32);
    end.writeBigUInt64LE(BigInt(size), 40);
    end.writeBigUInt64LE(BigInt(offset), 48);
    locator.writeBigUInt64LE(BigInt(offset + size), 8);
    hash.update(end).update(locator);
  }
  return hash.update(endWithoutSignature(endRecord, signed.length, size, offset)).digest();
}

/**
 * Numbers whose bits are all set refer to the ZIP64 record, and stay unchanged. The numbers of disks are signed as
 * zero.
 */
function endWithoutSignature(endRecord: Buffer, count: number, size: number, offset: number): Buffer {
  const end = Buffer.from(endRecord);
  end.writeUInt32LE(0, 4);
  for (const at of [8, 10]) if (end.readUInt16LE(at) !== 0xffff) end.writeUInt16LE(count, at);
  if (end.readUInt32LE(12) !== 0xffff_ffff) end.writeUInt32LE(size, 12);
  if (end.readUInt32LE(16) !== 0xffff_ffff) end.writeUInt32LE(offset, 16);
  return end;
}

/** Checks that the signer is the publisher, and that the certificate is an expected one, if any are given. */
export function checkSigner(
  { certificate, subject, certificates }: PackageSignature,
  publisher: string,
  certificateSha256: readonly string[],
): void {
  if (!isSameName(publisher, subject))
    throw new PackageFault(
      `the manifest names the publisher ${publisher}, and the certificate ${certificate.subject.replaceAll('\n', ', ')}`,
    );
  if (certificateSha256.length === 0) return;
  // The signer's own certificate, or one that issued it.
  const issuers = certificates.filter((each) => isIssuedBy(certificate, each));
  const fingerprints = [certificate, ...issuers].map(({ fingerprint256 }) =>
    fingerprint256.replaceAll(':', '').toLowerCase(),
  );
  if (!fingerprints.some((fingerprint) => certificateSha256.includes(fingerprint)))
    throw new PackageFault(`the certificate is none of those expected; its SHA-256 fingerprint is ${fingerprints[0]}`);
}
