// A package of a release, as the download page shows it.

export const released = {
  name: 'Example.Portal',
  publisher: 'CN=Example',
  version: '1.2.3.0',
  architecture: 'x64',
  releasedOn: '2026-11-20',
  fileName: 'Example.Portal_1.2.3.0_x64.msix',
  size: 12_345_678,
  sha256: 'ab'.repeat(32),
  path: '',
  fingerprintKey: '',
} as const;
