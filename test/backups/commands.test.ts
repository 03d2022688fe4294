// The commands of backups: files, directories, pipes, and what they refuse.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDatabases } from '../../src/database/databases.ts';
import { prepareDatabase } from '../support/migrated-copy.ts';
import { runPortal } from '../support/portal-process.ts';
import { runRefusedCommand } from '../support/refused-command.ts';
import { createStorage, type TestStorage } from '../support/service.ts';
import { storageAddressOf } from '../support/test-database.ts';
import { keyFile } from '../support/backups.ts';

let folder: string;
let storage: TestStorage;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
  storage = await createStorage('sqlite');
  const databases = openDatabases(storageAddressOf(storage));
  for (const tenant of ['sund', 'fjord']) await prepareDatabase(databases, storageAddressOf(storage), tenant);
  await databases.close();
});
after(async () => {
  await storage.release();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runPortal(args, { PORTAL_STORAGE: storage.storageUrl });
const refused = (...args: string[]) => runRefusedCommand(storage.storageUrl, ...args);

test('[backups.05] a backup is a file that only its owner can read, and that is never overwritten', async () => {
  const path = join(folder, 'sund.backup');
  const written = await run('backup', path, '--tenant', 'sund');
  assert.match(written.stdout, /^sund: .*sund\.backup: \d+ rows of \d+ tables\n$/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const content = readFileSync(path);
  assert.deepEqual(await refused('backup', path, '--tenant', 'sund'), {
    code: 1,
    stderr: `error: ${path} exists already, and is not overwritten\n`,
  });
  assert.deepEqual(readFileSync(path), content);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
  const verified = await run('backup', 'verify', path);
  assert.match(
    verified.stdout,
    /sund\.backup: sound: \d+ rows of \d+ tables of the tenant sund, written 20\S+Z by version \S+ from sqlite, with the migrations up to \d{4}-[a-z-]+\n$/,
  );
  const { code, stderr } = await refused('restore', path, '--tenant', 'fjord');
  assert.equal(code, 1);
  assert.match(stderr, /is of the tenant sund: it cannot be restored as fjord, whose KIDs are others/);
});

test('the standard output has only the backup, encrypted with the key file, and the standard input is read', async () => {
  const key = join(folder, 'key');
  writeFileSync(key, keyFile);
  const { spawnSync } = await import('node:child_process');
  const portal = join(import.meta.dirname, '../../bin/portal.mjs');
  const env = { PATH: process.env['PATH'], PORTAL_STORAGE: storage.storageUrl };
  const options = { env, cwd: folder };
  const written = spawnSync(process.execPath, [portal, 'backup', '--tenant', 'sund', '--key-file', key, '-'], options);
  assert.equal(written.status, 0, written.stderr.toString());
  assert.match(written.stderr.toString(), /^sund: -: \d+ rows of \d+ tables\n$/);
  assert.match(written.stdout.toString('latin1'), /^portal-backup 1 aes-256-gcm [\w-]{43}\n/);
  const verify = (...args: string[]) =>
    spawnSync(process.execPath, [portal, 'backup', 'verify', '-', ...args], { ...options, input: written.stdout });
  assert.equal(verify('--key-file', key).status, 0);
  const without = verify();
  assert.equal(without.status, 1);
  assert.equal(
    without.stderr.toString(),
    'error: the standard input is encrypted: give the key file with --key-file\n',
  );
});

test('[backups.05] a directory gets a backup of each tenant, and keeps those that the options say', async () => {
  const directory = mkdtempSync(join(folder, 'directory-'));
  const old = ['20260101', '20260102', '20260201'].map((day) => `sund-${day}T030000Z.backup`);
  const foreign = ['notes.txt', 'sund-20250101T030000Z.backup', 'sund-20260101T030000Z.backup.copy'];
  for (const name of old) writeFileSync(join(directory, name), 'portal-backup 1 plain\n');
  for (const name of foreign) writeFileSync(join(directory, name), 'something else');
  const options = ['--tenant', 'sund', '--tenant', 'fjord', '--keep-daily', '1', '--keep-monthly', '2'];
  const { code, stdout, stderr } = await run('backup', '--directory', directory, ...options);
  assert.equal(code, 0, stderr);
  const left = readdirSync(directory);
  const written = left.filter((name) => !old.includes(name) && !foreign.includes(name));
  assert.deepEqual(
    written.map((name) => name.replace(/\d{8}T\d{6}Z/, 'TIME')).toSorted(),
    ['fjord-TIME.backup', 'sund-TIME.backup'],
    stdout,
  );
  assert.deepEqual(
    left.filter((name) => !written.includes(name)).toSorted(),
    [...foreign, 'sund-20260201T030000Z.backup'].toSorted(),
  );
  assert.match(stdout, /sund: sund-20260102T030000Z\.backup removed\n/);
});

test('a tenant that cannot be read keeps no other from being written', async () => {
  const directory = mkdtempSync(join(folder, 'directory-'));
  const { code, stderr } = await run('backup', '--directory', directory, '--tenant', 'malar', '--tenant', 'sund');
  assert.equal(code, 1);
  assert.match(stderr, /^error: tenant malar, .*migrations: the file does not exist/);
  assert.deepEqual(
    readdirSync(directory).map((name) => name.replace(/-.*Z/, '')),
    ['sund.backup'],
  );
});

test('options that do not belong together, and files that cannot be used, are refused in a line', async () => {
  const short = join(folder, 'short');
  writeFileSync(short, 'secret');
  const cases: [args: string[], code: number, problem: RegExp][] = [
    [['backup'], 2, /expected either the name of a file, or --directory/],
    [['backup', 'x', '--directory', folder], 2, /expected either the name of a file, or --directory/],
    [['backup', 'x'], 2, /a file has one tenant: name it with --tenant/],
    [['backup', 'x', '--tenant', 'nowhere'], 2, /unknown tenant nowhere/],
    [['backup', 'x', '--tenant', 'sund', '--keep-daily', '1'], 2, /need --directory/],
    [['backup', 'x', '--tenant', 'sund', '--key-file', short], 1, /short has 6 bytes: a key file has at least 32/],
    [['backup', join(folder, 'none/x'), '--tenant', 'sund'], 1, /none\/x cannot be used: ENOENT \(open\)/],
    [['backup', 'verify', join(folder, 'none')], 1, /none cannot be used: ENOENT \(open\)/],
    [['backup', 'verify'], 2, /missing required argument 'file'/],
    [['restore', join(folder, 'none')], 2, /required option '--tenant <name>' not specified/],
    [['restore', short, '--tenant', 'sund'], 1, /short is no backup of this service/],
  ];
  for (const [args, code, problem] of cases) {
    const result = await refused(...args);
    assert.match(result.stderr, problem);
    assert.deepEqual([result.code, result.stderr.split('\n').length], [code, 2], args.join(' '));
  }
});
