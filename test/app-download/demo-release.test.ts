// The release of the demo: on production of sund, and nowhere else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFixture } from '../support/service-suite.ts';
import { builtInTenants } from '../../src/tenants.ts';

const { service } = serviceFixture('sqlite', { demo: true, manager: false });
const fileNameOf = (architecture: string): string => `Demo.Portal_1.4.2.0_${architecture}.msix`;

test('[download.11] under demo data the release is only on sund production; every other host answers 404', async () => {
  const hosts = builtInTenants.flatMap(({ name }) => [`api.${name}.localhost`, `beta.api.${name}.localhost`]);
  assert.equal(hosts.length, 12);
  for (const host of hosts) {
    const expected = host === 'api.sund.localhost' ? 200 : 404;
    for (const architecture of ['x64', 'arm64'])
      for (const file of ['portal.appinstaller', fileNameOf(architecture)]) {
        const { status } = await service.call('GET', `/download/windows/${architecture}/${file}`, { host });
        assert.equal(status, expected, `${host} ${file}`);
      }
    const { status, text } = await service.call('GET', '/download', { host });
    assert.equal(status, 200);
    assert.equal(/There is no version of the app/.test(text), expected === 404, host);
  }
});

test('[download.04] the demo’s installer names its package, which can be fetched from there', async () => {
  const { text } = await service.call('GET', '/download/windows/arm64/portal.appinstaller');
  const [, uri = ''] = /<MainPackage [^>]*Uri="([^"]*)"/.exec(text) ?? [];
  assert.equal(uri, `http://api.sund.localhost/download/windows/arm64/${fileNameOf('arm64')}`);
  assert.equal((await service.call('GET', new URL(uri).pathname)).status, 200);
});
