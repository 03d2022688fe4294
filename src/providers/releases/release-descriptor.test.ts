// Which contents of release.json are valid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReleaseDescriptor } from './release-descriptor.ts';

const release = { name: 'Example.Portal', publisher: 'CN=Example', version: '1.2.3.0', releasedOn: '2026-11-20' };
const fingerprint = 'ab'.repeat(32);

test('a release needs name, publisher, version and date; older versions and certificates can be left out', () => {
  assert.deepEqual(parseReleaseDescriptor(JSON.stringify(release)), {
    ...release,
    keptVersions: [],
    certificateSha256: [],
  });
  const full = {
    ...release,
    keptVersions: ['1.2.2.65535', '1.1.10.0'],
    certificateSha256: [fingerprint.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')],
  };
  assert.deepEqual(parseReleaseDescriptor(JSON.stringify(full)), { ...full, certificateSha256: [fingerprint] });
});

test('an error names the member that is wrong', () => {
  const wrong: [object, RegExp][] = [
    [{ name: undefined }, /^name: expected/],
    [{ name: 'a_b' }, /^name: expected/],
    [{ name: 'Nul.portal' }, /^name: expected/],
    [{ publisher: 'Example' }, /^publisher: expected/],
    [{ publisher: 7 }, /^publisher: expected/],
    [{ version: '1.2.3' }, /^version: expected/],
    [{ version: '1.2.3.00' }, /^version: expected/],
    [{ version: '0.2.3.0' }, /^version: expected/],
    [{ version: '1.2.3.65536' }, /^version: expected/],
    [{ releasedOn: '2026-02-30' }, /^releasedOn: expected/],
    [{ releasedOn: '20 November' }, /^releasedOn: expected/],
    [{ keptVersions: ['1.2.3.0'] }, /^keptVersions: 1\.2\.3\.0 is not older than 1\.2\.3\.0/],
    [{ keptVersions: ['1.2.10.0'] }, /^keptVersions: 1\.2\.10\.0 is not older/],
    [{ keptVersions: '1.2.2.0' }, /^keptVersions: expected/],
    [{ keptVersions: Array.from({ length: 21 }, () => '1.0.0.0') }, /^keptVersions: expected/],
    [{ certificateSha256: ['abc'] }, /^certificateSha256: expected/],
    [{ certificateSha256: [fingerprint, null] }, /^certificateSha256: expected/],
    [{ file: 'a.msix' }, /^file is unknown/],
  ];
  for (const [change, message] of wrong)
    assert.throws(() => parseReleaseDescriptor(JSON.stringify({ ...release, ...change })), { message });
  for (const text of ['', '{', 'null', '[]', '"a"']) assert.throws(() => parseReleaseDescriptor(text), /JSON/);
});
