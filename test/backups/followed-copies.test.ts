// The copy of `backup follow`: what is wrong with it is found, what keeps it from being written passes, and what it no longer
// needs is removed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { keyFile } from '../support/backups.ts';
import { waitUntil } from '../support/async.ts';
import { buildDatabase } from '../../sqlite-follower/build-database.ts';
import { verifyCopy } from '../../sqlite-follower/verify-copy.ts';
import { createCopyContainer } from '../../src/features/backups/commands/tenant-copies.ts';
import { runPortal } from '../support/portal-process.ts';
import {
  countBases,
  countSegments,
  createFollowedCopy,
  filesOf,
  followCopy,
  openWriter,
  refusalOf,
  restoredNames,
  setName,
} from './support/followed-copy.ts';

const namespace = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c'];
const canMount = spawnSync('unshare', [...namespace, 'mount -t tmpfs none /tmp']).status === 0;
const portal = join(import.meta.dirname, '../../bin/portal.mjs');

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(folder, { recursive: true }));

function readBeginning(path: string, length: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, 0);
    return bytes.toString('hex');
  } finally {
    closeSync(file);
  }
}

test('[backups.13] a damaged, shortened or missing file of a copy is found by verify and refused by restore, and so is another key', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, settings, database } = followed;
  const key = join(folder, 'key');
  writeFileSync(key, keyFile);
  const running = await followCopy(followed, '--key-file', key);
  await running.says('a base was written');
  for (let part = 1; part <= 3; part += 1) {
    const copiedParts = countSegments(copy);
    setName(database, `part ${part}`);
    await waitUntil('it is copied', () => countSegments(copy) > copiedParts);
  }
  await running.stop();
  database.close();
  const sound = await runPortal(['backup', 'verify', copy, '--key-file', key], settings);
  assert.match(
    sound.stdout,
    /sound: the tenant sund from 20\S+Z to 20\S+Z, in 1 bases and [3-9] parts\n$/,
    sound.stderr,
  );
  assert.deepEqual(
    filesOf(copy, /\.copy$/)
      .map((name) => statSync(join(copy, name)).mode & 0o777)
      .filter((mode) => mode !== 0o600),
    [],
  );
  const [base = '', segments] = [filesOf(copy, /base/)[0], filesOf(copy, /segment/)];
  const middle = segments.at(-2) ?? '';
  const other = join(folder, 'other-key');
  writeFileSync(other, Buffer.alloc(32, 'x'));
  const flip = (path: string): void => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  const cases: [damage: (to: string) => void, problem: RegExp, keyPath?: string][] = [
    [(to) => flip(join(to, middle)), /cannot be used: \S+segment-\S+ (?:is damaged|cannot be decrypted)/],
    [(to) => flip(join(to, base)), /cannot be used: \S+base-\S+ (?:is|cannot be)/],
    [(to) => truncateSync(join(to, middle), 200), /cannot be used: \S+segment-\S+ (?:is|cannot be)/],
    [(to) => rmSync(join(to, middle)), /lacks part \d+ of the generation \S+: the file was removed/],
    [(to) => rmSync(join(to, base)), /has no base yet: nothing can be restored from it/],
    [
      (to) => copyFileSync(join(to, segments.at(-1) ?? ''), join(to, middle)),
      /cannot be used: \S+segment-\S+ has other parts than its name says/,
    ],
    [() => {}, /cannot be decrypted: the key file is another one/, other],
  ];
  for (const [damage, problem, keyPath = key] of cases) {
    const damaged = mkdtempSync(join(folder, 'damaged-'));
    cpSync(copy, damaged, { recursive: true });
    damage(damaged);
    const source = { folder: damaged, container: createCopyContainer(readFileSync(keyPath)) };
    await assert.rejects(verifyCopy(source), problem);
    const path = join(damaged, 'built.sqlite');
    await assert.rejects(buildDatabase(path, { ...source, atMs: undefined, requireTenant: () => {} }), problem);
  }
  const refusedData = mkdtempSync(join(folder, 'refused-'));
  const withOther = ['restore', copy, '--tenant', 'sund', '--key-file', other];
  assert.match(
    await refusalOf(withOther, { ...settings, PORTAL_STORAGE: `sqlite:${refusedData}` }),
    /sund cannot be used: \S+ cannot be decrypted: the key file is another one/,
  );
  assert.deepEqual(readdirSync(refusedData), [], 'nothing is left');
  assert.match(
    await refusalOf(['backup', 'verify', copy], settings),
    /is encrypted: give the key file with --key-file/,
  );
  assert.match(
    await refusalOf(['backup', 'follow', followed.target, '--key-file', other], settings),
    /cannot be decrypted: the key file is another one/,
  );
  const restored = ['--key-file', key];
  assert.deepEqual(
    (await restoredNames(followed, ...restored)).filter((name) => name.startsWith('part')),
    ['part 1', 'part 2', 'part 3'],
  );
  assert.match(
    await refusalOf(['restore', copy, '--tenant', 'sund', '--at', '2020-01-01T00:00:00Z', ...restored], {
      ...settings,
      PORTAL_STORAGE: `sqlite:${join(folder, 'early')}`,
    }),
    /begins at 20\S+Z: nothing before can be restored from it/,
  );
});

test('[backups.14] a database that was replaced, or a missing file or target, is said, copied again when it is back, and the gap is refused', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, data, settings } = followed;
  let { database } = followed;
  const running = await followCopy(followed);
  await running.says('a base was written');
  setName(database, 'before');
  await waitUntil('it is copied', () => countSegments(copy) > 0);
  assert.match(
    await refusalOf(['backup', 'follow', followed.target], settings),
    /sund is written by another `backup follow`/,
  );
  renameSync(copy, `${copy}.away`);
  setName(database, 'while the target was away');
  await running.says(/"nothing can be copied"/);
  renameSync(`${copy}.away`, copy);
  await running.says(/"it is copied again"/);
  await waitUntil('it is copied', () => countSegments(copy) > 1);
  assert.equal(countBases(copy), 1, 'nothing was missed');
  const stopped = Date.now();
  database.close();
  for (const end of ['', '-wal', '-shm']) renameSync(join(data, `sund.sqlite${end}`), join(data, `old${end}`));
  await waitUntil('it says that the file is missing', () => /ENOENT[^\n]*sund\.sqlite/.test(running.stdout()));
  const gap = new Date(Math.max(stopped, Date.now()) + 1000).toISOString();
  await waitUntil('the gap has passed', () => Date.now() > Date.parse(gap) + 1000);
  copyFileSync(join(data, 'old'), join(data, 'sund.sqlite'));
  database = openWriter(data);
  setName(database, 'after');
  await running.says(/"nothing between these times can be restored"/);
  await running.stop();
  database.close();
  assert.ok((await restoredNames(followed)).includes('after'));
  const own = { ...settings, PORTAL_STORAGE: `sqlite:${mkdtempSync(join(folder, 'gap-'))}` };
  assert.match(
    await refusalOf(['restore', copy, '--tenant', 'sund', '--at', gap], own),
    /has nothing between 20\S+Z and 20\S+Z/,
  );
});

test('[backups.15] while it is followed, the write-ahead log is moved to the file and begins anew: it does not grow', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, data, database } = followed;
  const running = await followCopy(followed);
  await running.says('a base was written');
  const logPath = join(data, 'sund.sqlite-wal');
  const logs = new Set<string>();
  // A log that is not begun anew gets there, however slow the machine is.
  const bound = 1_000_000_000;
  while (logs.size < 3) {
    for (let count = 0; count < 20; count += 1) setName(database, `value ${count}`, 'x'.repeat(40_000));
    logs.add(readBeginning(logPath, 32));
    assert.ok(statSync(logPath).size < bound, 'the log grows');
    await pause(25);
  }
  setName(database, 'last');
  await running.stop();
  database.close();
  assert.equal(countBases(copy), 1, 'in one generation');
  assert.ok((await restoredNames(followed)).includes('last'));
});

test('[backups.14] while nothing can be copied, the write-ahead log is held only up to --max-wal; what is missed then is a gap that is named', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, data, database } = followed;
  const running = await followCopy(followed, '--max-wal', '64');
  await running.says('a base was written');
  setName(database, 'before');
  await waitUntil('it is copied', () => countSegments(copy) > 0);
  renameSync(copy, `${copy}.away`);
  setName(database, 'while the target was away');
  await running.says(/"nothing can be copied"/);
  const logPath = join(data, 'sund.sqlite-wal');
  while (statSync(logPath).size <= 64 * 1_048_576)
    for (let count = 0; count < 50; count += 1) setName(database, `value ${count}`, 'x'.repeat(40_000));
  const held = readBeginning(logPath, 32);
  await running.says('"the write-ahead log has become too long to wait: it is no longer held"');
  await waitUntil('the log begins anew', () => {
    for (let count = 0; count < 50; count += 1) setName(database, `value ${count}`, 'y'.repeat(40_000));
    return readBeginning(logPath, 32) !== held;
  });
  renameSync(`${copy}.away`, copy);
  await running.says(/"nothing between these times can be restored"/);
  setName(database, 'last');
  await running.stop();
  database.close();
  assert.equal(countBases(copy), 2);
  const names = await restoredNames(followed);
  assert.ok(names.includes('before') && names.includes('last'));
});

test(
  '[backups.14] a full disk of the target is said, and everything is copied when there is room, without a gap',
  { skip: canMount ? false : 'the system lets no test mount a disk for itself' },
  async () => {
    const followed = await createFollowedCopy(folder);
    const { target, settings, database } = followed;
    database.close();
    const program = join(import.meta.dirname, 'support/full-target.ts');
    const script = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" "$3" "$4" "$1" "$5"';
    const args = [...namespace, script, 'sh', target, process.execPath, program, portal, followed.data];
    const { stdout, stderr } = spawnSync('unshare', args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...settings },
    });
    assert.equal(stdout, 'full\nagain\nverified 0\n', stderr);
  },
);

test('options that do not fit are refused in a line', async () => {
  const followed = await createFollowedCopy(folder);
  const { settings, target, database } = followed;
  database.close();
  const file = join(folder, 'a file');
  writeFileSync(file, 'text');
  const cases: [argv: string[], code: number, problem: RegExp, changed?: Record<string, string>][] = [
    [
      ['backup', 'follow', target],
      2,
      /only SQLite is followed/,
      { PORTAL_STORAGE: 'mysql://user:password@127.0.0.1:1/p_' },
    ],
    [['backup', 'follow', join(folder, 'none')], 1, /none\/sund cannot be used: ENOENT \(mkdir\)/],
    [['backup', 'follow', target, '--interval', '0'], 2, /Expected a whole number from 1 to 3600/],
    [['backup', 'follow', target, '--tenant', 'nowhere'], 2, /unknown tenant nowhere/],
    [['backup', 'follow'], 2, /missing required argument 'directory'/],
    [
      ['restore', file, '--tenant', 'sund', '--at', '2026-06-01T12:00:00Z'],
      2,
      /--at needs the copy of `backup follow`/,
    ],
    [['restore', target, '--tenant', 'sund', '--at', 'noon'], 2, /Expected an instant/],
    [['backup', 'verify', target], 1, /has no base yet/],
  ];
  for (const [argv, code, problem, changed = {}] of cases) {
    const refused = await runPortal(argv, { ...settings, ...changed });
    assert.match(refused.stderr, problem);
    assert.deepEqual([refused.code, refused.stderr.split('\n').length], [code, 2], argv.join(' '));
  }
});
