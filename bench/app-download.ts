// Measures downloads of packages of the Windows app, large and small, against a bare node:http server that streams the
// same file.

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatPackageFileName } from '../src/providers/releases/package/package-identity.ts';
import { buildPackage } from '../test/support/packages/build-package.ts';
import { commonName, createSigner } from '../test/support/packages/signer.ts';
import { host, oneTenantSettings } from './support/demo-service.ts';
import { compareTargets, reportComparison } from './support/measure.ts';
import { startNode, startPortal } from './support/processes.ts';

const release = { name: 'Bench.Portal', publisher: 'CN=Bench', version: '1.0.0.0', releasedOn: '2026-01-01' };
const architecture = 'x64';
const fileName = formatPackageFileName({ ...release, architecture });
/** The number of simultaneous downloads. */
const connections = 4;

export async function benchmarkAppDownload(): Promise<void> {
  for (const [size, bytes] of [
    ['50 MB', 50_000_000],
    ['1 MB', 1_000_000],
  ] as const) {
    const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
    try {
      const file = writeRelease(directory, bytes);
      const service = await startPortal({
        ...oneTenantSettings(`sqlite:${directory}/data`),
        PORTAL_RELEASES: directory,
      });
      const floor = await startNode('bench/support/app-download-floor.ts', [file], {});
      const target = { path: `/download/windows/${architecture}/${fileName}`, host, token: '' };
      const comparison = await compareTargets(
        { ...target, port: Number(new URL(String(service.line['url'])).port) },
        { ...target, port: Number(floor.line['port']) },
        connections,
      );
      reportComparison(`Download of a package of ${size}, against a bare file stream`, comparison, { least: 0.7 });
      await floor.stop();
      await service.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

function writeRelease(directory: string, bytes: number): string {
  const folder = join(directory, 'sund/production', architecture);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(directory, 'sund/production/release.json'), JSON.stringify(release));
  const file = join(folder, fileName);
  const content = randomBytes(bytes);
  const files = [{ name: 'portal.exe', content, method: 'stored' as const }];
  writeFileSync(file, buildPackage(createSigner([[commonName, 'Bench']]), { ...release, architecture, files }));
  return file;
}
