// Validates a package of the Windows app (.msix), from cheap checks to expensive ones, and reports the fault of each.
// Only a package that passes all of them is offered.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { blockMapFile, readBlockMap } from './block-map.ts';
import { createByteSource, type ByteSource } from './byte-source.ts';
import { checkBlocks } from './check-blocks.ts';
import { checkDigests, checkSigner, requireSignatureLast } from './check-signature.ts';
import { readContent, streamContent } from './entry-content.ts';
import { fingerprintOf, isSameFile, type FileFingerprint } from './file-fingerprint.ts';
import type { PackageIdentity } from './package-identity.ts';
import { manifestFile, readManifest } from './manifest.ts';
import { PackageFault } from './package-fault.ts';
import { parseXml } from './parse-xml.ts';
import { maxSignatureBytes, readSignature, signatureFile } from './signature.ts';
import { readZipDirectory, type ZipDirectory, type PackageEntry } from './zip-directory.ts';

/** The required properties of the package; those that are left out may have any value. */
export type ExpectedPackage = Partial<PackageIdentity> & {
  /** SHA-256 fingerprints, in lower-case hex, of certificates that may sign the package or issue the signer's. */
  readonly certificateSha256: readonly string[];
};

const packageChecks = ['file', 'archive', 'contents', 'identity', 'block map', 'signature'] as const;
export type PackageCheck = (typeof packageChecks)[number];

/** A check is skipped if its input could not be read: it has no fault, and has not passed. */
type CheckResult = {
  readonly check: PackageCheck;
  readonly passed: boolean;
  readonly fault: string | undefined;
};

export type PackageVerdict = {
  readonly checks: readonly CheckResult[];
  readonly isValid: boolean;
  readonly identity: PackageIdentity | undefined;
  /** The hash of the file, in hex; undefined if it could not be read. */
  readonly sha256: string | undefined;
  readonly size: number | undefined;
  readonly fingerprint: FileFingerprint | undefined;
};

const minPackageBytes = 1024;
/** Far above any app of this kind. */
const maxPackageBytes = 4 * 1024 ** 3;
const zipLimits = { maxEntries: 100_000, maxTotalBytes: 16 * 1024 ** 3, maxDirectoryBytes: 64 * 1024 ** 2 };
const maxXmlBytes = 1024 ** 2;
const maxBlockMapBytes = 64 * 1024 ** 2;

const contentTypesFile = '[Content_Types].xml';
const codeIntegrityFile = 'AppxMetadata/CodeIntegrity.cat';
const bundleManifestFile = 'AppxMetadata/AppxBundleManifest.xml';
const requiredFiles = [contentTypesFile, manifestFile, blockMapFile, signatureFile];
/** Files that describe the package: the block map leaves them out. */
const unmappedFiles = new Set([contentTypesFile, blockMapFile, signatureFile, codeIntegrityFile]);

/** Flags to open a file without following links, and without waiting for a pipe. */
export const packageOpenFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function validatePackage(path: string, expected: ExpectedPackage): Promise<PackageVerdict> {
  const run = new ValidationRun(expected);
  let file: FileHandle | undefined;
  try {
    file = await run.check('file', () => openPackage(path));
    if (file === undefined) return run.verdict();
    const stats = await file.stat({ bigint: true });
    const source = createByteSource(file, Number(stats.size));
    await run.validate(source);
    if (!isSameFile(stats, await file.stat({ bigint: true }))) run.fail('file', 'the file changed while it was read');
    return run.verdict(fingerprintOf(stats));
  } finally {
    await file?.close();
  }
}

/** Faults of the path: any other error is a failure of the machine, such as too many open files. */
const pathFaults = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ENXIO']);

async function openPackage(path: string): Promise<FileHandle> {
  const file = await open(path, packageOpenFlags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw new PackageFault('the file is a symbolic link');
    if (pathFaults.has(error.code ?? '')) throw new PackageFault(`the file cannot be opened: ${error.code}`);
    throw error;
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new PackageFault('this is not a regular file');
    if (stats.size < minPackageBytes || stats.size > maxPackageBytes)
      throw new PackageFault(`the file has ${stats.size} bytes; expected ${minPackageBytes} to ${maxPackageBytes}`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

class ValidationRun {
  readonly #expected: ExpectedPackage;
  readonly #faults = new Map<PackageCheck, string>();
  readonly #passed = new Set<PackageCheck>();
  #identity: PackageIdentity | undefined;
  #sha256: string | undefined;

  constructor(expected: ExpectedPackage) {
    this.#expected = expected;
  }

  /** Runs a check. Returns its result, or undefined if it found a fault. */
  async check<T>(check: PackageCheck, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#passed.add(check);
      return result;
    } catch (error) {
      if (!(error instanceof PackageFault)) throw error;
      this.fail(check, error.message);
      return undefined;
    }
  }

  fail(check: PackageCheck, fault: string): void {
    this.#faults.set(check, fault);
    this.#passed.delete(check);
  }

  async validate(source: ByteSource): Promise<void> {
    const directory = await this.check('archive', () => readZipDirectory(source, zipLimits));
    if (directory === undefined) return;
    const entries = new Map(directory.entries.map((entry) => [entry.name, entry]));
    const contents = await this.check('contents', () => readContents(source, entries));
    if (contents === undefined) return;
    const { manifest, blockMap, contentTypes } = contents;
    this.#identity = await this.check('identity', () => checkIdentity(readManifest(manifest), this.#expected));
    await this.check('block map', () =>
      checkBlocks(
        source,
        directory.entries.filter(({ name }) => !unmappedFiles.has(name)),
        readBlockMap(blockMap),
      ),
    );
    await this.check('signature', () => this.#checkSignature(source, directory, { manifest, blockMap, contentTypes }));
  }

  async #checkSignature(
    source: ByteSource,
    directory: ZipDirectory,
    { manifest, blockMap, contentTypes }: Contents,
  ): Promise<void> {
    const entry = requireSignatureLast(directory);
    const signature = readSignature(await readContent(source, entry, maxSignatureBytes));
    const hashes = await hashFile(source, entry.headerOffset);
    const catalogue = directory.entries.find(({ name }) => name === codeIntegrityFile);
    checkDigests(signature, directory, {
      records: hashes.before,
      contentTypes: createHash('sha256').update(contentTypes).digest(),
      blockMap: createHash('sha256').update(blockMap).digest(),
      codeIntegrity: catalogue && (await hashContent(source, catalogue)),
    });
    checkSigner(signature, readManifest(manifest).publisher, this.#expected.certificateSha256);
    this.#sha256 = hashes.whole.toString('hex');
  }

  verdict(fingerprint?: FileFingerprint): PackageVerdict {
    const checks = packageChecks.map((check) => ({
      check,
      passed: this.#passed.has(check),
      fault: this.#faults.get(check),
    }));
    return {
      checks,
      isValid: checks.every(({ passed }) => passed),
      identity: this.#identity,
      sha256: this.#sha256,
      size: fingerprint?.size,
      fingerprint,
    };
  }
}

type Contents = { readonly contentTypes: Buffer; readonly manifest: Buffer; readonly blockMap: Buffer };

async function readContents(source: ByteSource, entries: ReadonlyMap<string, PackageEntry>): Promise<Contents> {
  if (entries.has(bundleManifestFile)) throw new PackageFault('this is a bundle; expected a plain package');
  const missing = requiredFiles.filter((name) => !entries.has(name));
  if (missing.length > 0) throw new PackageFault(`the package lacks ${missing.join(', ')}`);
  const read = (name: string, maxBytes: number): Promise<Buffer> =>
    readContent(source, entries.get(name) as PackageEntry, maxBytes);
  const contentTypes = await read(contentTypesFile, maxXmlBytes);
  parseXml(contentTypesFile, contentTypes, requireContentTypes);
  return {
    contentTypes,
    manifest: await read(manifestFile, maxXmlBytes),
    blockMap: await read(blockMapFile, maxBlockMapBytes),
  };
}

const contentTypesNamespace = 'http://schemas.openxmlformats.org/package/2006/content-types';

function requireContentTypes({ depth, name, namespace }: { depth: number; name: string; namespace: string }): void {
  if (depth === 0 && (name !== 'Types' || namespace !== contentTypesNamespace))
    throw new PackageFault(`${contentTypesFile} lists no content types`);
}

/** Checks that the package is the expected one. */
function checkIdentity(identity: PackageIdentity, expected: ExpectedPackage): PackageIdentity {
  const wrong = (['name', 'publisher', 'version', 'architecture'] as const).filter(
    (key) => expected[key] !== undefined && expected[key] !== identity[key],
  );
  if (wrong.length > 0)
    throw new PackageFault(
      wrong.map((key) => `the ${key} is ${identity[key]}; expected ${expected[key] ?? ''}`).join('; '),
    );
  return identity;
}

/** Hashes the whole file, and its first bytes. */
async function hashFile(
  source: ByteSource,
  beforeBytes: number,
): Promise<{ readonly whole: Buffer; readonly before: Buffer }> {
  const hash = createHash('sha256');
  for await (const piece of source.stream(0, beforeBytes)) hash.update(piece);
  const before = hash.copy().digest();
  for await (const piece of source.stream(beforeBytes, source.size - beforeBytes)) hash.update(piece);
  return { whole: hash.digest(), before };
}

async function hashContent(source: ByteSource, entry: PackageEntry): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of streamContent(source, entry)) hash.update(piece);
  return hash.digest();
}
