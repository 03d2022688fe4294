// The file of a log does not say where it ends. A writer that is killed after its last frame is in the file, and before it
// has published its commit, leaves the same bytes as one that goes on: SQLite then overwrites what it has left.

import assert from 'node:assert/strict';
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { FollowedFile } from '../../sqlite-follower/followed-file.ts';
import { noLog, readCommitted, type CommittedFrames, type WalPosition } from '../../sqlite-follower/read-committed.ts';

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(folder, { recursive: true }));

const opened: { close(): void }[] = [];
after(() => {
  for (const each of opened) each.close();
});

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table if not exists t (text text)');
  opened.unshift(database);
  return database;
}

const insert = (database: DatabaseSync, text: string, length = 1): void =>
  void database.prepare('insert into t values (?)').run(text.padEnd(length, '.'));

const namesOf = (database: DatabaseSync): string[] =>
  database
    .prepare('select text from t order by rowid')
    .all()
    .map(({ text }) => String(text).replaceAll('.', ''));

const readFileAlone = (path: string, position: WalPosition): CommittedFrames =>
  readCommitted(`${path}-wal`, { position, maxBytes: 1e9, countCommitted: () => Infinity });

test('[backups.20] two logs of the same bytes end at different frames, as SQLite says: what a killed writer has left is not copied, and what overwrites it is', () => {
  const [path, twinPath] = [join(folder, 'one.sqlite'), join(folder, 'twin.sqlite')];
  const database = openDatabase(path);
  insert(database, 'first');
  for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${twinPath}${end}`);
  const twin = openDatabase(twinPath);
  insert(twin, 'second', 30_000);
  const log = readFileSync(`${twinPath}-wal`);
  // The writer of the first database is killed after this.
  const { length } = readFileSync(`${path}-wal`);
  const file = openSync(`${path}-wal`, 'r+');
  writeSync(file, log, length, log.length - length, length);
  closeSync(file);
  assert.ok(readFileSync(`${path}-wal`).equals(log));
  assert.deepEqual([namesOf(database), namesOf(twin)], [['first'], ['first', 'second']]);

  const [followed, followedTwin] = [new FollowedFile(path), new FollowedFile(twinPath)];
  opened.unshift(followed, followedTwin);
  const [read, readTwin] = [followed.read(noLog, 1e9), followedTwin.read(noLog, 1e9)];
  const frameBytes = 24 + 4096;
  assert.equal(read.to.place.frames, (length - 32) / frameBytes);
  assert.equal(readTwin.to.place.frames, (log.length - 32) / frameBytes);
  const alone = readFileAlone(path, noLog);
  assert.deepEqual(alone.to, readTwin.to, 'the file alone has the second one');

  insert(database, 'third');
  assert.deepEqual(namesOf(database), ['first', 'third']);
  const next = followed.read(read.to, 1e9);
  assert.deepEqual([next.from, next.isAtEnd], [read.to, true]);
  assert.ok(next.bytes.length > 0 && next.bytes.includes('third'));
  const missed = readFileAlone(path, alone.to);
  assert.deepEqual(
    [missed.bytes.length, missed.isAtEnd],
    [0, true],
    'the file alone never shows that the third one came',
  );
});

test('[backups.20] pages that an open transaction has written to the log are not counted', () => {
  const path = join(folder, 'open.sqlite');
  const database = openDatabase(path);
  const followed = new FollowedFile(path);
  opened.unshift(followed);
  const { to } = followed.read(noLog, 1e9);
  const { length } = readFileSync(`${path}-wal`);
  database.exec('pragma cache_size = 3; begin');
  for (let row = 0; row < 20; row += 1) insert(database, 'row', 3000);
  assert.ok(readFileSync(`${path}-wal`).length > length, 'they are in the file');
  assert.deepEqual(followed.read(to, 1e9).to, to);
  database.exec('rollback');
  assert.deepEqual(followed.read(to, 1e9).to, to);
  insert(database, 'committed');
  assert.ok(followed.read(to, 1e9).bytes.includes('committed'));
});
