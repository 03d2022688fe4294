// Reads the releases of the Windows app from a folder: `{tenant}/{environment}/release.json` names the version, and
// `{tenant}/{environment}/{architecture}/` has the packages.

import type { BigIntStats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { createPromiseCache } from '../../lib/caches/promise-cache.ts';
import { fingerprintOf, hasSameContent } from './package/file-fingerprint.ts';
import { architectures, formatPackageFileName, type Architecture } from './package/package-identity.ts';
import { packageOpenFlags, type PackageVerdict } from './package/validate-package.ts';
import {
  descriptorFile,
  maxDescriptorBytes,
  parseReleaseDescriptor,
  type ReleaseDescriptor,
} from './release-descriptor.ts';
import { validateInThread, type ValidatePackage, type ValidationRequest } from './validate-in-thread.ts';

type ReleaseSite = { readonly tenant: string; readonly environment: 'production' | 'beta' };

/** A package that passed every check. */
export type ReleasedPackage = {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  readonly architecture: Architecture;
  readonly releasedOn: string;
  readonly fileName: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  readonly path: string;
  readonly fingerprintKey: string;
};

type OpenPackage = {
  readonly file: FileHandle;
  /** Whether the open file still has the validated contents. It may meanwhile have another name, or none. */
  readonly isUnchanged: () => Promise<boolean>;
};

export type Releases = ReturnType<typeof openReleases>;

type ReleasesOptions = {
  /** Undefined: nothing is offered. */
  readonly root: string | undefined;
  readonly log: Logger;
  /** A request waits this long for a validation; after that it gets no release, and the validation continues. */
  readonly maxWaitMs?: number;
  readonly validate?: ValidatePackage;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: () => number;
};

const defaultMaxWaitMs = 10_000;
/**
 * A validation that failed without a fault of the package is not retried for this long: a retry for each request may
 * cost minutes.
 */
const failureKeptMs = 60_000;
/** Far more than six tenants need. */
const maxRemembered = 1000;

/**
 * A site offers only its own packages. A package is offered after the package was validated, and as long as the package
 * does not change.
 */
export function openReleases({
  root,
  log,
  maxWaitMs = defaultMaxWaitMs,
  validate = validateInThread,
  monotonic = () => performance.now(),
}: ReleasesOptions) {
  const closing = new AbortController();
  const { signal } = closing;
  const readDescriptor = createDescriptorReader(log);
  const getVerdict = createVerdictReader({ log, validate, signal, monotonic });
  const logFailure = createFailureLog(log, monotonic);

  const findVersion = async (
    site: ReleaseSite,
    architecture: Architecture,
    chooseVersion: (descriptor: ReleaseDescriptor) => string | undefined,
  ): Promise<ReleasedPackage | undefined> => {
    if (root === undefined) return undefined;
    const folder = await resolveFolder(root, site);
    const descriptor = folder === undefined ? undefined : await readDescriptor(join(folder, descriptorFile));
    const version = descriptor === undefined ? undefined : chooseVersion(descriptor);
    if (folder === undefined || descriptor === undefined || version === undefined) return undefined;
    const { name, publisher, certificateSha256, releasedOn } = descriptor;
    const identity = { name, publisher, version, architecture };
    const fileName = formatPackageFileName(identity);
    const path = join(folder, architecture, fileName);
    if ((await realPathOf(path)) !== path) return undefined;
    const verdict = await waitAtMost(maxWaitMs, getVerdict({ path, expected: { ...identity, certificateSha256 } }));
    const { sha256, size, fingerprint } = verdict ?? {};
    if (verdict?.isValid !== true || sha256 === undefined || size === undefined || fingerprint === undefined)
      return undefined;
    return { ...identity, releasedOn, fileName, size, sha256, path, fingerprintKey: fingerprint.key };
  };

  /** A folder that cannot be read offers nothing. */
  const findReadable: typeof findVersion = (site, architecture, chooseVersion) =>
    findVersion(site, architecture, chooseVersion).catch((error: Error) => {
      if (signal.aborted) throw error;
      logFailure(`${site.tenant}/${site.environment}`, error);
      return undefined;
    });

  /** The offered package for an architecture; undefined if there is none. */
  const findOffered = (site: ReleaseSite, architecture: Architecture) =>
    findReadable(site, architecture, ({ version }) => version);

  return {
    findOffered,
    /** The package with this file name: the offered one, or an older one that is kept. */
    findByFileName: (site: ReleaseSite, architecture: Architecture, fileName: string) =>
      findReadable(site, architecture, ({ name, version, keptVersions }) =>
        [version, ...keptVersions].find(
          (each) => formatPackageFileName({ name, version: each, architecture }) === fileName,
        ),
      ),
    /** Validates what these sites offer, so that no request has to wait for it. Ends early when the service stops. */
    prepare: async (sites: readonly ReleaseSite[]) => {
      const offered = sites.flatMap((site) => architectures.map((architecture) => findOffered(site, architecture)));
      await Promise.all(offered).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    /** Opens a package that was found; undefined if the file is no longer the one that was validated. */
    open: openUnchanged,
    /** Ends running validations. */
    close: async () => closing.abort(new Error('the service stops')),
  };
}

/** The root itself may be reached through links, but nothing inside it. */
async function resolveFolder(root: string, { tenant, environment }: ReleaseSite): Promise<string | undefined> {
  const realRoot = await realPathOf(root);
  if (realRoot === undefined) return undefined;
  const folder = join(realRoot, tenant, environment);
  return (await realPathOf(folder)) === folder ? folder : undefined;
}

const realPathOf = (path: string): Promise<string | undefined> => unlessMissing(realpath(path));

/** A missing file is undefined; any other error is a failure of the machine. */
const unlessMissing = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return undefined;
    throw error;
  });

const statOf = (path: string): Promise<BigIntStats | undefined> => unlessMissing(lstat(path, { bigint: true }));

/** Reads a descriptor only once while its file does not change. */
function createDescriptorReader(log: Logger) {
  const descriptors = createPromiseCache<{ readonly descriptor: ReleaseDescriptor | undefined }, string>({
    max: maxRemembered,
  });
  return async (path: string): Promise<ReleaseDescriptor | undefined> => {
    const stats = await statOf(path);
    if (stats === undefined) return undefined;
    const { descriptor } = await descriptors.get(`${path}\n${fingerprintOf(stats).key}`, async () => {
      try {
        return { descriptor: parseReleaseDescriptor(await readDescriptorText(path)) };
      } catch (error) {
        log.warn({ file: path, fault: (error as Error).message }, 'the description of a release is wrong');
        return { descriptor: undefined };
      }
    });
    return descriptor;
  };
}

async function readDescriptorText(path: string): Promise<string> {
  await using file = await open(path, packageOpenFlags);
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > maxDescriptorBytes)
    throw new Error(`expected a file of at most ${maxDescriptorBytes} bytes`);
  return await file.readFile('utf8');
}

type VerdictReaderOptions = {
  readonly log: Logger;
  readonly validate: ValidatePackage;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
};

/** The verdict is missing if validating failed; that is then valid until `untilMs`. */
type Validation = { readonly verdict: PackageVerdict | undefined; readonly untilMs: number };

/** Validates a package only once while neither its file nor the expected properties change; one package at a time. */
function createVerdictReader({ log, validate, signal, monotonic }: VerdictReaderOptions) {
  const validations = createPromiseCache<Validation, string>({ max: maxRemembered });
  const runValidation = async (request: ValidationRequest): Promise<Validation> => {
    try {
      const verdict = await validate(request, signal);
      logVerdict(log, request.path, verdict);
      return { verdict, untilMs: Number.POSITIVE_INFINITY };
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ file: request.path, err: error }, 'the release could not be validated and is not offered');
      return { verdict: undefined, untilMs: monotonic() + failureKeptMs };
    }
  };
  const queue = new FairQueue({ maxConcurrent: 1 });
  return async (request: ValidationRequest): Promise<PackageVerdict | undefined> => {
    const { path, expected } = request;
    const stats = await statOf(path);
    if (stats === undefined) return undefined;
    const { key } = fingerprintOf(stats);
    const validationKey = [path, key, JSON.stringify(expected)].join('\n');
    const known = validations.peek(validationKey);
    if (known !== undefined && known.untilMs <= monotonic()) validations.delete(validationKey);
    const { verdict } = await validations.get(validationKey, () => queue.run(() => runValidation(request)));
    // The verdict may be about a file that has replaced this one meanwhile.
    return verdict?.fingerprint === undefined || verdict.fingerprint.key === key ? verdict : undefined;
  };
}

function logVerdict(log: Logger, file: string, { checks, isValid, sha256 }: PackageVerdict): void {
  if (isValid) {
    log.info({ file, sha256 }, 'the release is valid and offered');
    return;
  }
  const faults = checks.flatMap(({ check, fault }) => (fault === undefined ? [] : [`${check}: ${fault}`]));
  log.warn({ file, faults }, 'the release is not valid and not offered');
}

/** Logs why a site cannot be read, at most once in a while: every request would have the same failure. */
function createFailureLog(log: Logger, monotonic: () => number) {
  const loggedAtMs = new Map<string, number>();
  return (folder: string, error: Error): void => {
    const now = monotonic();
    if (now - (loggedAtMs.get(folder) ?? Number.NEGATIVE_INFINITY) < failureKeptMs) return;
    loggedAtMs.set(folder, now);
    log.error({ folder, err: error }, 'the releases of a site cannot be read and are not offered');
  };
}

/** The value, or undefined if it takes longer. */
async function waitAtMost<T>(maxWaitMs: number, promise: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController();
  try {
    const timeout = sleep(maxWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    return await Promise.race([promise, timeout]);
  } finally {
    waiting.abort();
  }
}

async function openUnchanged({ path, fingerprintKey }: ReleasedPackage): Promise<OpenPackage | undefined> {
  const file = await unlessMissing(open(path, packageOpenFlags));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat({ bigint: true });
    if (fingerprintOf(stats).key === fingerprintKey)
      return { file, isUnchanged: async () => hasSameContent(stats, await file.stat({ bigint: true })) };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}
