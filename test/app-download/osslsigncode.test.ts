// Compares the check of signatures with osslsigncode, an independent program: it accepts the packages that tests make,
// and the service accepts the packages that it signs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { validatePackage } from '../../src/providers/releases/package/validate-package.ts';
import { buildPackage, buildUnsignedPackage } from '../support/packages/build-package.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { signer } from './support/release-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-signing-'));
after(() => rmSync(folder, { recursive: true }));
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
writeFileSync(certificate, signer.certificate.toString());
writeFileSync(key, signer.privateKey.export({ type: 'pkcs8', format: 'pem' }));

const run = (...options: string[]): Promise<boolean> =>
  promisify(execFile)(findProgram('osslsigncode') ?? '', options).then(
    () => true,
    () => false,
  );
const accepts = (file: string): Promise<boolean> => run('verify', '-in', file, '-CAfile', certificate);
const isValid = async (file: string): Promise<boolean> =>
  (await validatePackage(file, { certificateSha256: [] })).isValid;

describe('osslsigncode', { skip: reasonWithout('osslsigncode') }, () => {
  const forms = {
    plain: {},
    zip64: { zip64: true },
    descriptors: { descriptors: true },
    tool: { zip64: true, descriptors: true },
  };
  for (const [form, options] of Object.entries(forms)) {
    test(`accepts a package of ours, and signs one that the service accepts (${form})`, async () => {
      const [ours, unsigned, signed] = ['ours', 'unsigned', 'signed'].map((name) =>
        join(folder, `${form}-${name}.msix`),
      );
      assert.ok(ours !== undefined && unsigned !== undefined && signed !== undefined);
      writeFileSync(ours, buildPackage(signer, options));
      assert.deepEqual([await accepts(ours), await isValid(ours)], [true, true]);
      writeFileSync(unsigned, buildUnsignedPackage(options));
      assert.equal(await run('sign', '-in', unsigned, '-out', signed, '-certs', certificate, '-key', key), true);
      assert.deepEqual([await accepts(signed), await isValid(signed)], [true, true]);
    });
  }

  test('refuses, as the service does, a package whose files or directory were changed', async () => {
    const bytes = buildPackage(signer, {
      files: [{ name: 'a.txt', content: Buffer.from('0123456789'), method: 'stored' }],
    });
    // The content of the file, and the time that the directory says it was made.
    const directory = bytes.readUInt32LE(bytes.length - 6);
    for (const at of [bytes.indexOf('0123456789'), directory + 12]) {
      const file = join(folder, `changed-${at}.msix`);
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      writeFileSync(file, changed);
      assert.notEqual(Buffer.compare(readFileSync(file), bytes), 0);
      assert.deepEqual([await accepts(file), await isValid(file)], [false, false], `byte ${at}`);
    }
  });
});
