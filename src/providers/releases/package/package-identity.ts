// The identity of a package, which its manifest declares. The rules are those of the schema of Windows manifests.

import { PackageFault } from './package-fault.ts';

export const architectures = ['x64', 'arm64'] as const;
/** The architectures of offered packages. */
export type Architecture = (typeof architectures)[number];

export type PackageIdentity = {
  readonly name: string;
  /** An X.500 name. */
  readonly publisher: string;
  /** Four numbers. */
  readonly version: string;
  readonly architecture: string;
};

const namePattern = /^[-.A-Za-z0-9]{3,50}$/;
const deviceName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
const versionPattern = /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){3}$/;
const manifestArchitectures = ['x86', 'x64', 'arm', 'arm64', 'x86a64', 'neutral'];
const maxPublisherLength = 8192;

export const isPackageName = (name: string): boolean =>
  namePattern.test(name) && !deviceName.test(name) && !name.endsWith('.');

export const isPublisher = (publisher: string): boolean =>
  publisher.length > 0 && publisher.length <= maxPublisherLength && publisher.includes('=');

/** Four numbers up to 65535 without leading zeros, of which the first is not 0. */
export const isPackageVersion = (version: string): boolean =>
  versionPattern.test(version) &&
  !version.startsWith('0.') &&
  version.split('.').every((part) => Number(part) <= 65_535);

/** Compares versions by their first different number: negative if the first version is the older one. */
export function compareVersions(version: string, other: string): number {
  const numbers = other.split('.').map(Number);
  const differences = version.split('.').map((part, index) => Number(part) - (numbers[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** Throws PackageFault if an attribute of the element Identity is missing or wrong. */
export function readIdentity(attributes: ReadonlyMap<string, string>): PackageIdentity {
  const [name, publisher, version] = ['Name', 'Publisher', 'Version'].map((key) => attributes.get(key) ?? '');
  const architecture = attributes.get('ProcessorArchitecture') ?? 'neutral';
  const resourceId = attributes.get('ResourceId') ?? '';
  const rules: [string, string, boolean][] = [
    ['Name', '3 to 50 letters, digits, dots and hyphens', isPackageName(name ?? '')],
    ['Publisher', 'an X.500 name such as CN=Example', isPublisher(publisher ?? '')],
    ['Version', 'four numbers up to 65535, the first not 0', isPackageVersion(version ?? '')],
    ['ProcessorArchitecture', manifestArchitectures.join(', '), manifestArchitectures.includes(architecture)],
    ['ResourceId', 'at most 30 characters', resourceId.length <= 30],
  ];
  const wrong = rules.find(([, , holds]) => !holds);
  if (wrong !== undefined) {
    const value = attributes.get(wrong[0]);
    const found = value === undefined ? 'is missing' : `is ${JSON.stringify(value.slice(0, 100))}`;
    throw new PackageFault(`${wrong[0]} of the identity ${found}; expected ${wrong[1]}`);
  }
  return { name: name ?? '', publisher: publisher ?? '', version: version ?? '', architecture };
}

/** `Example.Portal_1.2.3.0_x64.msix`: the only valid name for a package's file. */
export const formatPackageFileName = ({ name, version, architecture }: Omit<PackageIdentity, 'publisher'>): string =>
  `${name}_${version}_${architecture}.msix`;

/** Undefined if no package has such a file name. */
export function parsePackageFileName(fileName: string): Omit<PackageIdentity, 'publisher'> | undefined {
  const [, name = '', version = '', architecture = ''] = /^([^_]+)_([^_]+)_([^_]+)\.msix$/.exec(fileName) ?? [];
  const isValid =
    isPackageName(name) && isPackageVersion(version) && architectures.some((each) => each === architecture);
  return isValid ? { name, version, architecture } : undefined;
}
