// A folder of releases for tests, which creates, places and removes packages.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatPackageFileName } from '../../../src/providers/releases/package/package-identity.ts';
import {
  buildPackage,
  packageName,
  packageVersion,
  type PackageOptions,
} from '../../support/packages/build-package.ts';
import { commonName, createSigner } from '../../support/packages/signer.ts';

export const signer = createSigner([[commonName, 'Example']]);

export const release = {
  name: packageName,
  publisher: 'CN=Example',
  version: packageVersion,
  releasedOn: '2026-11-20',
};

export type Place = { readonly tenant?: string; readonly environment?: string; readonly architecture?: string };

export type ReleaseFolder = {
  readonly root: string;
  /** Writes release.json of a tenant and environment. */
  describe(descriptor: object, place?: Place): void;
  /** Puts a package of the place's architecture where the service looks for it. */
  put(
    place?: Place,
    options?: PackageOptions,
  ): { readonly fileName: string; readonly path: string; readonly bytes: Buffer };
  /** Removes everything of a tenant. */
  clear(tenant?: string): void;
  remove(): void;
};

/** Cached by the options object, for tests that place the same large package several times. */
const builtPackages = new WeakMap<PackageOptions, Map<string, Buffer>>();

function buildOnce(options: PackageOptions, architecture: string): Buffer {
  const built = builtPackages.get(options) ?? new Map<string, Buffer>();
  builtPackages.set(options, built);
  const bytes = built.get(architecture) ?? buildPackage(signer, { architecture, ...options });
  built.set(architecture, bytes);
  return bytes;
}

export function createReleaseFolder(): ReleaseFolder {
  const root = mkdtempSync(join(tmpdir(), 'portal-releases-'));
  const folderOf = ({ tenant = 'sund', environment = 'production' }: Place): string => {
    const folder = join(root, tenant, environment);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  return {
    root,
    describe: (descriptor, place = {}) =>
      writeFileSync(join(folderOf(place), 'release.json'), JSON.stringify({ ...release, ...descriptor })),
    put: (place = {}, options = {}) => {
      const { architecture = 'x64' } = place;
      const fileName = formatPackageFileName({ ...release, architecture, ...options });
      const folder = join(folderOf(place), architecture);
      mkdirSync(folder, { recursive: true });
      const path = join(folder, fileName);
      const bytes = buildOnce(options, architecture);
      writeFileSync(path, bytes);
      return { fileName, path, bytes };
    },
    clear: (tenant = 'sund') => rmSync(join(root, tenant), { recursive: true, force: true }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
