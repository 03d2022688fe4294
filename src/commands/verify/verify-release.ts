// `release verify`: validates a package of the Windows app, prints each check and what is wrong. Exits with 1 if anything is.

import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  formatPackageFileName,
  parsePackageFileName,
  type PackageIdentity,
} from '../../providers/releases/package/package-identity.ts';
import {
  validatePackage,
  type ExpectedPackage,
  type PackageVerdict,
} from '../../providers/releases/package/validate-package.ts';
import {
  descriptorFile,
  parseReleaseDescriptor,
  type ReleaseDescriptor,
} from '../../providers/releases/release-descriptor.ts';
import type { Config } from '../../config.ts';
import { CommandError } from '../command-error.ts';

const explanations = {
  file: 'a regular file of a plausible size, named {Name}_{version}_{architecture}.msix',
  archive: 'a ZIP archive without anything hidden, encrypted, doubled or outside of its folder',
  contents: 'a plain package with manifest, block map, content types and signature',
  identity: 'the manifest names the package that is expected',
  'block map': 'every file is listed, with its size and the hashes of its blocks',
  signature: 'the publisher’s certificate signed these files',
};

export async function verifyRelease(_config: Config, path: string): Promise<void> {
  const file = resolve(path);
  const named = parsePackageFileName(basename(file));
  const descriptor = await readDescriptor(join(dirname(dirname(file)), descriptorFile));
  const verdict = await validatePackage(file, expectedOf(named, descriptor));
  const fileFault = named === undefined ? describeFileName(verdict) : descriptor && findFolderFault(file, named);
  process.stdout.write(formatVerdict(verdict, fileFault));
  const versionNote = named && descriptor && describeOtherVersion(named, descriptor);
  if (versionNote !== undefined) process.stdout.write(`note: ${versionNote}\n`);
  if (descriptor === undefined)
    process.stdout.write(
      `note: there is no ${descriptorFile} two folders up: name, publisher and certificate are not compared with any\n`,
    );
  if (!verdict.isValid || fileFault !== undefined)
    throw new CommandError(`${path} is not valid: it would not be offered`, 1);
}

/** What the release and the file name say about the package. */
function expectedOf(named: NamedPackage | undefined, descriptor: ReleaseDescriptor | undefined): ExpectedPackage {
  if (descriptor === undefined) return { ...named, certificateSha256: [] };
  const { name, publisher, certificateSha256 } = descriptor;
  return { ...named, name, publisher, certificateSha256 };
}

/** Undefined where there is none. Throws CommandError where it is wrong. */
async function readDescriptor(path: string): Promise<ReleaseDescriptor | undefined> {
  try {
    return parseReleaseDescriptor(await readFile(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError(`${path}: ${code ?? message}`, 1);
  }
}

const describeFileName = ({ identity }: PackageVerdict): string =>
  identity === undefined
    ? 'the file is not named {Name}_{version}_{architecture}.msix'
    : `the file has to be named ${formatPackageFileName(identity)}`;

type NamedPackage = Omit<PackageIdentity, 'publisher'>;

/** In a release, the folder of another architecture is never looked into for it. */
function findFolderFault(file: string, { architecture }: NamedPackage): string | undefined {
  const folder = basename(dirname(file));
  return folder === architecture
    ? undefined
    : `the file is looked for in a folder ${architecture}, and lies in ${folder}`;
}

/** A version may be checked before it is offered. */
const describeOtherVersion = (named: NamedPackage, { version, keptVersions }: ReleaseDescriptor): string | undefined =>
  [version, ...keptVersions].includes(named.version)
    ? undefined
    : `${descriptorFile} offers version ${version}, and not ${named.version}`;

function formatVerdict({ checks, identity, sha256, size }: PackageVerdict, fileFault: string | undefined): string {
  const lines = checks.map(({ check, passed, fault }) => {
    const found = check === 'file' ? (fault ?? fileFault) : fault;
    const result = found !== undefined ? 'WRONG' : passed ? 'ok' : 'not checked';
    return `${check.padEnd(10)} ${result.padEnd(11)} ${found ?? explanations[check]}`;
  });
  const facts = {
    name: identity?.name,
    publisher: identity?.publisher,
    version: identity?.version,
    architecture: identity?.architecture,
    size: size === undefined ? undefined : `${size} bytes`,
    sha256,
  };
  const factLines = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key.padEnd(12)} ${value}`],
  );
  return `${[...lines, ...factLines].join('\n')}\n`;
}
