// What the service is made of: packages of one registry with their integrity, none of which runs anything when it is
// installed, and documents whose proofs exist.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

type LockedPackage = {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};

const lock = JSON.parse(readText('package-lock.json')) as { readonly packages: Record<string, LockedPackage> };
const manifest = JSON.parse(readText('package.json')) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

/** Packages that would run a script when they are installed, and what it is; package.json forbids each of them. */
const installScripts: Readonly<Record<string, string>> = {
  'node_modules/@scarf/scarf': 'reports the installation; a dependency of a tool that checks the documents',
};

/** The packages of others. */
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

test('[attack.09] every package comes from the registry, with its integrity', () => {
  assert.ok(packages.length > 100);
  for (const [path, { resolved, integrity = '' }] of packages) {
    // Another source would be named.
    assert.equal(resolved, undefined, path);
    assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, path);
  }
});

test('[attack.09] no package runs a script when it is installed', () => {
  const found = packages.filter(([, each]) => each.hasInstallScript === true).map(([path]) => path);
  assert.deepEqual(found.toSorted(), Object.keys(installScripts).toSorted());
  for (const path of found) assert.equal(manifest.allowScripts[path.replace('node_modules/', '')], false, path);
});

test('[attack.09] every version is exact', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
});

test('[attack.09] the list of all parts is written as CycloneDX', async () => {
  const [command = '', ...args] = (manifest.scripts['sbom'] ?? '').split(' ');
  assert.equal(command, 'npm');
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const parts = JSON.parse(stdout) as { readonly bomFormat: string; readonly components: readonly { name: string }[] };
  assert.equal(parts.bomFormat, 'CycloneDX');
  const names = new Set(parts.components.map(({ name }) => name));
  for (const name of Object.keys(manifest.dependencies)) assert.ok(names.has(name), name);
});

test('[attack.10] every proof that the security documents name exists, and every level 1 chapter is there', () => {
  const text = readText('docs/security.md');
  const named = [...text.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
  assert.ok(named.length > 100);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
  for (let chapter = 1; chapter <= 17; chapter += 1)
    assert.match(text, new RegExp(`^### .*\\bV${chapter} `, 'm'), `chapter ${chapter}`);
  for (let risk = 1; risk <= 10; risk += 1) assert.match(text, new RegExp(`^\\| API${risk} `, 'm'), `risk ${risk}`);
  for (const path of ['SECURITY.md', 'docs/threat-model.md']) assert.ok(existsSync(join(root, path)), path);
});
