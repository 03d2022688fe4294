// Creates the release of the Windows app that the demo offers: assets/releases. The app of the release is empty.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectures, formatPackageFileName } from '../src/providers/releases/package/package-identity.ts';
import { buildPackage } from '../test/support/packages/build-package.ts';
import { commonName, createSigner } from '../test/support/packages/signer.ts';

const release = { name: 'Demo.Portal', publisher: 'CN=Demo Publisher', version: '1.4.2.0', releasedOn: '2026-06-01' };

const folder = join(import.meta.dirname, '../assets/releases/sund/production');
/** The certificate is self-signed and the key is discarded, so no machine trusts the certificate. */
const signer = createSigner([[commonName, 'Demo Publisher']]);
const files = [
  { name: 'portal.exe', content: Buffer.from('This stands for the app in the demo. It is no program.\r\n') },
  { name: 'Assets/Logo%20small.png', content: readLogo(), method: 'stored' as const },
];

rmSync(folder, { recursive: true, force: true });
for (const architecture of architectures) {
  const identity = { ...release, architecture };
  mkdirSync(join(folder, architecture), { recursive: true });
  writeFileSync(
    join(folder, architecture, formatPackageFileName(identity)),
    buildPackage(signer, { ...identity, files, displayName: 'Portal (demo)' }),
  );
}
writeFileSync(
  join(folder, 'release.json'),
  `${JSON.stringify({ ...release, certificateSha256: [signer.certificate.fingerprint256] }, null, 2)}\n`,
);

/** A PNG of one pixel. */
function readLogo(): Buffer {
  return Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
}
