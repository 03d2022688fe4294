// Packages on their way: resumed by a real client, read slowly, and changed or replaced while they are sent.

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
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { sundHost } from '../support/call.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { waitUntil } from '../support/async.ts';
import { createReleaseFolder } from './support/release-folder.ts';

const folder = createReleaseFolder();
const downloads = mkdtempSync(join(tmpdir(), 'portal-downloads-'));
after(() => {
  folder.remove();
  rmSync(downloads, { recursive: true });
});
const { service } = serviceFixture('sqlite', { settings: { PORTAL_RELEASES: folder.root }, manager: false });

/** More than the buffers of a connection take. */
const content = randomBytes(24_000_000);
const large = { files: [{ name: 'portal.exe', content, method: 'stored' as const }] };
beforeEach(() => {
  folder.clear();
  folder.describe({});
});
const pathOf = (fileName: string): string => `/download/windows/x64/${fileName}`;

/** The head of an answer whose body is left unread. */
async function startReading(fileName: string): Promise<IncomingMessage> {
  const path = pathOf(fileName);
  const outgoing = request({ host: '127.0.0.1', port: service.port, path, agent: false, headers: { host: sundHost } });
  const [incoming] = (await once(outgoing.end(), 'response')) as [IncomingMessage];
  return incoming.pause();
}

/** The bytes until the answer ends, and whether it was whole. */
async function readRest(incoming: IncomingMessage): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
  }
  return { bytes: Buffer.concat(chunks), isWhole: incoming.complete };
}

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

test('a client that reads slowly gets the whole package, while the service holds little of it', async () => {
  const { fileName, bytes } = folder.put({}, large);
  await service.call('HEAD', pathOf(fileName));
  const before = process.memoryUsage().arrayBuffers;
  const readers = await Promise.all(Array.from({ length: 8 }, () => startReading(fileName)));
  const held = process.memoryUsage().arrayBuffers - before;
  assert.ok(held < bytes.length, `${held} bytes`);
  for (const reader of readers) {
    const { bytes: received, isWhole } = await readRest(reader);
    assert.ok(isWhole);
    assert.equal(Buffer.compare(received, bytes), 0);
  }
  await waitUntil('no package is open', () => countOpenPackages() === 0);
});

test('a package that is replaced while it is sent is sent to its end, and what replaced it is not offered unseen', async () => {
  const { fileName, path, bytes } = folder.put({}, large);
  const reader = await startReading(fileName);
  const replaced = folder.put({}, { version: '1.2.9.0' });
  renameSync(path, `${path}.old`);
  renameSync(replaced.path, path);
  const { bytes: received, isWhole } = await readRest(reader);
  assert.ok(isWhole);
  assert.equal(Buffer.compare(received, bytes), 0);
  assert.equal((await service.call('GET', pathOf(fileName))).status, 404);
});

test('a package that changes while it is sent is never taken for whole', async () => {
  const { fileName, path } = folder.put({}, large);
  const reader = await startReading(fileName);
  appendFileSync(path, 'more');
  const { isWhole } = await readRest(reader);
  assert.equal(isWhole, false);
  assert.equal((await service.call('GET', pathOf(fileName))).status, 404);
  await waitUntil('no package is open', () => countOpenPackages() === 0);
});

test('no file stays open: not after 304, 416 or HEAD, and not when the client goes away', async () => {
  const { fileName } = folder.put({}, large);
  const { headers } = await service.call('HEAD', pathOf(fileName));
  for (let count = 0; count < 5; count += 1) {
    await service.call('GET', pathOf(fileName), { headers: { 'if-none-match': headers.etag ?? '' } });
    await service.call('GET', pathOf(fileName), { headers: { range: 'bytes=99999999-' } });
    await service.call('HEAD', pathOf(fileName));
    const reader = await startReading(fileName);
    reader.destroy();
  }
  await waitUntil('no package is open', () => countOpenPackages() === 0);
});
