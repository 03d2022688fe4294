// Sending packages: a real client resumes them, slow clients read them, and files are changed or replaced while they
// are sent.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createSelfSignedCertificate } from '../http/support/certificate.ts';
import { sundHost } from '../support/call.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { waitUntil } from '../support/async.ts';
import { createReleaseFolder } from './support/release-folder.ts';
import { http1Transport, http2Transport, readRest } from './support/transfers.ts';

const folder = createReleaseFolder();
const downloads = mkdtempSync(join(tmpdir(), 'portal-downloads-'));
after(() => {
  folder.remove();
  rmSync(downloads, { recursive: true });
});
const { cert, key } = createSelfSignedCertificate(sundHost);
const tlsSettings = { PORTAL_TLS_CERT: join(downloads, 'cert.pem'), PORTAL_TLS_KEY: join(downloads, 'key.pem') };
writeFileSync(tlsSettings.PORTAL_TLS_CERT, cert);
writeFileSync(tlsSettings.PORTAL_TLS_KEY, key, { mode: 0o600 });
const settings = { PORTAL_RELEASES: folder.root };
const { service } = serviceFixture('sqlite', { settings, manager: false });
const { service: tlsService } = serviceFixture('sqlite', { settings: { ...settings, ...tlsSettings }, manager: false });
const plain = http1Transport('HTTP/1.1', service, false);
const transports = [plain, http1Transport('HTTP/1.1 over TLS', tlsService, true), http2Transport(tlsService)];

/** More than the buffers of a connection take. */
const content = randomBytes(24_000_000);
const large = { files: [{ name: 'portal.exe', content, method: 'stored' as const }] };
beforeEach(() => {
  folder.clear();
  folder.describe({});
});
const pathOf = (fileName: string): string => `/download/windows/x64/${fileName}`;

/** How many files of the folder this process has open. */
const countOpenPackages = (): number =>
  readdirSync('/proc/self/fd').filter((each) => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`).startsWith(folder.root);
    } catch {
      return false;
    }
  }).length;

test(
  '[download.07] curl resumes a download that was cut off, and gets the very package',
  { skip: reasonWithout('curl') },
  async () => {
    const { fileName, bytes } = folder.put({}, large);
    const target = join(downloads, fileName);
    writeFileSync(target, bytes.subarray(0, 10_000_001));
    const url = `http://127.0.0.1:${service.port}${pathOf(fileName)}`;
    const options = ['--silent', '--show-error', '--fail', '--header', `Host: ${sundHost}`, '--continue-at', '-'];
    const output = ['--output', target, '--write-out', '%{http_code} %{size_download}'];
    const { stdout } = await promisify(execFile)(findProgram('curl') ?? '', [...options, ...output, url]);
    assert.equal(stdout, `206 ${bytes.length - 10_000_001}`);
    assert.equal(Buffer.compare(readFileSync(target), bytes), 0);
  },
);

for (const { name, begin, sendAndGoAway } of transports)
  describe(`over ${name}`, () => {
    const statusOf = async (path: string): Promise<number> => {
      const transfer = await begin(path);
      transfer.goAway();
      return transfer.status;
    };
    const noneIsOpen = () => waitUntil('no package is open', () => countOpenPackages() === 0);

    test('clients that read slowly get the whole package, while the service holds little of it', async () => {
      const { fileName, bytes } = folder.put({}, large);
      assert.equal(await statusOf(pathOf(fileName)), 200);
      await noneIsOpen();
      const before = process.memoryUsage().arrayBuffers;
      const readers = await Promise.all(Array.from({ length: 4 }, () => begin(pathOf(fileName))));
      // The memory includes what the clients of this process hold.
      const held = process.memoryUsage().arrayBuffers - before;
      assert.ok(held < 4 * 1_000_000, `${held} bytes`);
      for (const reader of readers) {
        const { bytes: received, isWhole } = await readRest(reader);
        assert.ok(isWhole);
        assert.equal(Buffer.compare(received, bytes), 0);
      }
      await noneIsOpen();
    });

    test('a package that is replaced while it is sent is sent to its end, and the new one is validated before it is offered', async () => {
      const { fileName, path, bytes } = folder.put({}, large);
      const reader = await begin(pathOf(fileName));
      const replaced = folder.put({}, { version: '1.2.9.0' });
      renameSync(path, `${path}.old`);
      renameSync(replaced.path, path);
      const { bytes: received, isWhole } = await readRest(reader);
      assert.ok(isWhole);
      assert.equal(Buffer.compare(received, bytes), 0);
      assert.equal(await statusOf(pathOf(fileName)), 404);
    });

    test('a package that changes while it is sent never looks complete', async () => {
      const { fileName, path } = folder.put({}, large);
      const reader = await begin(pathOf(fileName));
      appendFileSync(path, 'more');
      const { isWhole } = await readRest(reader);
      assert.equal(isWhole, false);
      assert.equal(await statusOf(pathOf(fileName)), 404);
      await noneIsOpen();
    });

    test('no package stays open or counted for clients that disconnect', async () => {
      const { fileName } = folder.put({}, large);
      // The first requests wait for the validation. If they still counted, the next ones would be refused.
      for (let round = 0; round < 3; round += 1) {
        await sendAndGoAway(pathOf(fileName), 90);
        assert.equal(await statusOf(pathOf(fileName)), 200);
        await noneIsOpen();
      }
    });
  });

test('no package stays open for a pipelined request whose connection is closed', async () => {
  const { fileName } = folder.put({}, large);
  const socket = connect(service.port, '127.0.0.1');
  const message = `GET ${pathOf(fileName)} HTTP/1.1\r\nHost: ${sundHost}\r\n\r\n`;
  socket.write(message.repeat(3));
  await once(socket, 'readable');
  await waitUntil('all are open', () => countOpenPackages() === 3);
  socket.destroy();
  await waitUntil('no package is open', () => countOpenPackages() === 0);
});

test('no file stays open after 304, 412, 416 or HEAD', async () => {
  const { fileName } = folder.put({}, large);
  const { headers } = await service.call('HEAD', pathOf(fileName));
  for (let count = 0; count < 5; count += 1) {
    await service.call('GET', pathOf(fileName), { headers: { 'if-none-match': headers.etag ?? '' } });
    await service.call('GET', pathOf(fileName), { headers: { 'if-match': '"other"' } });
    await service.call('GET', pathOf(fileName), { headers: { range: 'bytes=99999999-' } });
    await service.call('HEAD', pathOf(fileName));
  }
  await waitUntil('no package is open', () => countOpenPackages() === 0);
});
