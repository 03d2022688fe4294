// The releases of the Windows app, in a folder: `{tenant}/{environment}/release.json` names the version, and
// `{tenant}/{environment}/{architecture}/` has its packages. What is offered in one place never comes from another. A package
// is offered when it was validated, and for as long as it does not change.

import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { createPromiseCache } from '../../lib/promise-cache.ts';
import { fingerprintOf, hasSameContent } from './package/fingerprint.ts';
import { architectures, formatPackageFileName, type Architecture } from './package/identity.ts';
import { packageOpenFlags, type PackageVerdict } from './package/validate-package.ts';
import {
  descriptorFile,
  maxDescriptorBytes,
  parseReleaseDescriptor,
  type ReleaseDescriptor,
} from './release-descriptor.ts';
import { validateInThread, type ValidatePackage, type ValidationRequest } from './validate-in-thread.ts';

export type ReleaseSite = { readonly tenant: string; readonly environment: 'production' | 'beta' };

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

export type OpenPackage = {
  readonly file: FileHandle;
  /** Whether the open file still holds what was validated. It may have another name by now, or none. */
  readonly isUnchanged: () => Promise<boolean>;
};

export type Releases = {
  /** The package that is offered for an architecture; undefined where there is none. */
  findOffered(site: ReleaseSite, architecture: Architecture): Promise<ReleasedPackage | undefined>;
  /** The package with that file name: the one offered, or an older one that is kept. */
  findByFileName(site: ReleaseSite, architecture: Architecture, fileName: string): Promise<ReleasedPackage | undefined>;
  /** Validates what these sites offer, so that no request has to wait for it. Ends early where the service stops. */
  prepare(sites: readonly ReleaseSite[]): Promise<void>;
  /** Opens a package that was found; undefined where the file is no longer the one that was validated. */
  open(released: ReleasedPackage): Promise<OpenPackage | undefined>;
  /** Ends what is being validated. */
  close(): Promise<void>;
};

export type ReleasesOptions = {
  /** Undefined: nothing is offered. */
  readonly root: string | undefined;
  readonly log: Logger;
  /** A request waits so long for a validation; then there is no release yet. The validation goes on. */
  readonly maxWaitMs?: number;
  readonly validate?: ValidatePackage;
  /** Milliseconds that never go back. */
  readonly monotonic?: () => number;
};

const defaultMaxWaitMs = 10_000;
/** So long nothing is tried again that failed by no fault of the package: it may cost minutes, for each request. */
const failureKeptMs = 60_000;
/** Far more than six tenants have. */
const maxRemembered = 1000;

export function openReleases({
  root,
  log,
  maxWaitMs = defaultMaxWaitMs,
  validate = validateInThread,
  monotonic = () => performance.now(),
}: ReleasesOptions): Releases {
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
    const expected = { name, publisher, version, architecture, certificateSha256 };
    const fileName = formatPackageFileName(expected);
    const path = join(folder, architecture, fileName);
    if ((await realPathOf(path)) !== path) return undefined;
    const verdict = await waitAtMost(maxWaitMs, getVerdict({ path, expected }));
    const { sha256, size, fingerprint } = verdict ?? {};
    if (verdict?.isValid !== true || sha256 === undefined || size === undefined || fingerprint === undefined)
      return undefined;
    const { certificateSha256: _certificates, ...identity } = expected;
    return { ...identity, releasedOn, fileName, size, sha256, path, fingerprintKey: fingerprint.key };
  };

  /** A folder that cannot be read offers nothing. */
  const findReadable: typeof findVersion = (site, architecture, chooseVersion) =>
    findVersion(site, architecture, chooseVersion).catch((error: Error) => {
      if (signal.aborted) throw error;
      logFailure(`${site.tenant}/${site.environment}`, error);
      return undefined;
    });

  const findOffered: Releases['findOffered'] = (site, architecture) =>
    findReadable(site, architecture, ({ version }) => version);

  return {
    findOffered,
    findByFileName: (site, architecture, fileName) =>
      findReadable(site, architecture, ({ name, version, keptVersions }) =>
        [version, ...keptVersions].find(
          (each) => formatPackageFileName({ name, version: each, architecture }) === fileName,
        ),
      ),
    prepare: async (sites) => {
      const offered = sites.flatMap((site) => architectures.map((architecture) => findOffered(site, architecture)));
      await Promise.all(offered).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    open: openUnchanged,
    close: async () => closing.abort(new Error('the service stops')),
  };
}

/** The folder itself may be reached by links, but nothing inside of it. */
async function resolveFolder(root: string, { tenant, environment }: ReleaseSite): Promise<string | undefined> {
  const realRoot = await realPathOf(root);
  if (realRoot === undefined) return undefined;
  const folder = join(realRoot, tenant, environment);
  return (await realPathOf(folder)) === folder ? folder : undefined;
}

const realPathOf = (path: string): Promise<string | undefined> => unlessMissing(realpath(path));

/** What does not exist is undefined; any other failure is one of the machine. */
const unlessMissing = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return undefined;
    throw error;
  });

const statOf = (path: string): Promise<BigIntStats | undefined> => unlessMissing(lstat(path, { bigint: true }));

/** Reads a descriptor once for as long as its file does not change. */
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
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxDescriptorBytes)
      throw new Error(`expected a file of at most ${maxDescriptorBytes} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

type VerdictReaderOptions = {
  readonly log: Logger;
  readonly validate: ValidatePackage;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
};

/** Without a verdict where validating failed, for as long as it says. */
type Validation = { readonly verdict: PackageVerdict | undefined; readonly untilMs: number };

/** Validates a package once for as long as neither its file changes nor what is expected of it; one package at a time. */
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
  const queue = new PQueue({ concurrency: 1 });
  return async (request: ValidationRequest): Promise<PackageVerdict | undefined> => {
    const { path, expected } = request;
    const stats = await statOf(path);
    if (stats === undefined) return undefined;
    const { key } = fingerprintOf(stats);
    const validationKey = [path, key, JSON.stringify(expected)].join('\n');
    const known = validations.peek(validationKey);
    if (known !== undefined && known.untilMs <= monotonic()) validations.delete(validationKey);
    const { verdict } = await validations.get(validationKey, () => queue.add(() => runValidation(request)));
    // It may be the verdict on what was put in the file's place meanwhile.
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

/** Logs what keeps a site from being read, once in a while: every request would meet it. */
function createFailureLog(log: Logger, monotonic: () => number) {
  const loggedAtMs = new Map<string, number>();
  return (folder: string, error: Error): void => {
    const now = monotonic();
    if (now - (loggedAtMs.get(folder) ?? Number.NEGATIVE_INFINITY) < failureKeptMs) return;
    loggedAtMs.set(folder, now);
    log.error({ folder, err: error }, 'the releases of a site cannot be read and are not offered');
  };
}

/** The value, or undefined where it takes longer. */
async function waitAtMost<T>(maxWaitMs: number, promise: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController();
  try {
    const timeout = sleep(maxWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    return await Promise.race([promise, timeout]);
  } finally {
    waiting.abort();
    // Nobody may wait for it any more.
    promise.catch(() => {});
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
