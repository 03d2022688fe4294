// Reads release.json, in which the operator declares which version of the app a tenant and environment offer, and its
// publisher.

import { isPackageName, isPackageVersion, isPublisher, compareVersions } from './package/package-identity.ts';

export type ReleaseDescriptor = {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  /** `2026-11-20`. */
  readonly releasedOn: string;
  /** Older versions that can still be downloaded by their exact file names. */
  readonly keptVersions: readonly string[];
  /** In lower-case hex. If there are any, one of them must be the signer's certificate, or the issuer's. */
  readonly certificateSha256: readonly string[];
};

export const descriptorFile = 'release.json';
export const maxDescriptorBytes = 65_536;
const maxKeptVersions = 20;

type Member<T> = {
  readonly parse: (value: unknown) => T | undefined;
  readonly expected: string;
  readonly fallback?: T;
};

const textMember = (isValid: (text: string) => boolean, expected: string): Member<string> => ({
  parse: (value) => (typeof value === 'string' && isValid(value) ? value : undefined),
  expected,
});

const listMember = (parse: (text: string) => string | undefined, expected: string): Member<readonly string[]> => ({
  parse: (value) => {
    if (!Array.isArray(value) || value.length > maxKeptVersions) return undefined;
    const items = value.map((each: unknown) => (typeof each === 'string' ? parse(each) : undefined));
    return items.every((each) => each !== undefined) ? items : undefined;
  },
  expected,
  fallback: [],
});

const parseFingerprint = (text: string): string | undefined => {
  const digits = text.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
};

function isCalendarDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const members: { readonly [Key in keyof ReleaseDescriptor]: Member<ReleaseDescriptor[Key]> } = {
  name: textMember(isPackageName, 'the Name in the identity of the packages'),
  publisher: textMember(isPublisher, 'the Publisher in the identity of the packages'),
  version: textMember(isPackageVersion, 'four numbers, such as 1.2.3.0'),
  releasedOn: textMember(isCalendarDate, 'a date, such as 2026-11-20'),
  keptVersions: listMember(
    (text) => (isPackageVersion(text) ? text : undefined),
    `at most ${maxKeptVersions} versions of four numbers`,
  ),
  certificateSha256: listMember(parseFingerprint, 'SHA-256 fingerprints of certificates, of 64 hex digits each'),
};

/** Throws an Error that names the member and what is expected. */
export function parseReleaseDescriptor(text: string): ReleaseDescriptor {
  const value = parseJson(text);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(members, key));
  if (unknown !== undefined) throw new Error(`${unknown} is unknown`);
  const entries = Object.entries(members).map(([key, { parse, expected, fallback }]: [string, Member<unknown>]) => {
    const parsed = value[key] === undefined ? fallback : parse(value[key]);
    if (parsed === undefined) throw new Error(`${key}: expected ${expected}`);
    return [key, parsed];
  });
  const descriptor = Object.fromEntries(entries) as ReleaseDescriptor;
  const newer = descriptor.keptVersions.find((each) => compareVersions(each, descriptor.version) >= 0);
  if (newer !== undefined) throw new Error(`keptVersions: ${newer} is not older than ${descriptor.version}`);
  return descriptor;
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('this is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('expected a JSON object');
  return value as Readonly<Record<string, unknown>>;
}
