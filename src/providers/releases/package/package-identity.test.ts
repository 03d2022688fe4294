// File names and versions of packages.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, formatPackageFileName, isPackageVersion, parsePackageFileName } from './package-identity.ts';

test('[download.05] a file name belongs to exactly one package', () => {
  const identity = { name: 'Example.Portal', version: '1.2.3.0', architecture: 'x64' };
  assert.equal(formatPackageFileName(identity), 'Example.Portal_1.2.3.0_x64.msix');
  assert.deepEqual(parsePackageFileName('Example.Portal_1.2.3.0_x64.msix'), identity);
  const others = [
    'Example.Portal_1.2.3.0_x64.MSIX',
    'Example.Portal_1.2.3_x64.msix',
    'Example.Portal_1.2.3.0_x86.msix',
  ];
  for (const other of [...others, 'a_b_1.2.3.0_x64.msix', '../Example_1.2.3.0_x64.msix', '_1.2.3.0_x64.msix', ''])
    assert.equal(parsePackageFileName(other), undefined, other);
});

test('versions are compared by their numbers', () => {
  const inOrder = ['1.0.0.0', '1.0.0.9', '1.0.0.10', '1.0.1.0', '1.2.0.0', '1.10.0.0', '2.0.0.0', '10.0.0.0'];
  for (const [index, version] of inOrder.entries())
    for (const [otherIndex, other] of inOrder.entries())
      assert.equal(Math.sign(compareVersions(version, other)), Math.sign(index - otherIndex), `${version} ${other}`);
  const number = fc.integer({ min: 0, max: 65_535 });
  const version = fc.tuple(fc.integer({ min: 1, max: 65_535 }), number, number, number);
  const asNumber = (parts: readonly number[]): bigint => parts.reduce((sum, part) => sum * 65_536n + BigInt(part), 0n);
  fc.assert(
    fc.property(version, version, (a, b) => {
      assert.ok(isPackageVersion(a.join('.')));
      const difference = asNumber(a) - asNumber(b);
      const sign = difference > 0n ? 1 : difference < 0n ? -1 : 0;
      assert.equal(Math.sign(compareVersions(a.join('.'), b.join('.'))), sign);
    }),
  );
});
