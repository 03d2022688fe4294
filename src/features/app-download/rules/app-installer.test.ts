// Checks the installer file with an XML parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { writeAppInstaller } from './app-installer.ts';

const released = {
  name: 'Example.Portal',
  publisher: 'CN="Example & Sons, <Ltd.>", C=DK',
  version: '1.2.3.0',
  architecture: 'arm64',
  releasedOn: '2026-11-20',
  fileName: 'Example.Portal_1.2.3.0_arm64.msix',
  size: 1,
  sha256: '',
  path: '',
  fingerprintKey: '',
} as const;

/** Each element with its depth and attributes, in order. */
function readElements(xml: string): [depth: number, name: string, attributes: Record<string, string>][] {
  const found: ReturnType<typeof readElements> = [];
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => assert.fail(error));
  parser.on('opentag', ({ name, attributes }) => void found.push([depth++, name, { ...attributes }]));
  parser.on('closetag', () => void (depth -= 1));
  parser.write(xml).close();
  return found;
}

test('[download.04] the installer names the package and itself, and how to update, in the documented order', () => {
  const origin = 'https://api.sund.example.org:8443';
  assert.deepEqual(readElements(writeAppInstaller(released, origin)), [
    [
      0,
      'AppInstaller',
      {
        // The first namespace that supports arm64.
        xmlns: 'http://schemas.microsoft.com/appx/appinstaller/2018',
        Version: '1.2.3.0',
        Uri: `${origin}/download/windows/arm64/portal.appinstaller`,
      },
    ],
    [
      1,
      'MainPackage',
      {
        Name: 'Example.Portal',
        Publisher: released.publisher,
        Version: '1.2.3.0',
        ProcessorArchitecture: 'arm64',
        Uri: `${origin}/download/windows/arm64/Example.Portal_1.2.3.0_arm64.msix`,
      },
    ],
    [1, 'UpdateSettings', {}],
    [2, 'OnLaunch', { HoursBetweenUpdateChecks: '12' }],
    [2, 'AutomaticBackgroundTask', {}],
  ]);
});
