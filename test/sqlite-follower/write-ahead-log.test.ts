// What is read from a write-ahead log is what SQLite itself makes of the same file, however it is cut short or damaged.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import {
  noLog,
  readCommitted,
  RewrittenLogError,
  type CommittedFrames,
  type WalPosition,
} from '../../sqlite-follower/read-committed.ts';
import { parseWalHeader, readFrames } from '../../sqlite-follower/wal-format.ts';

/** Reads all that the file has. */
const read = (path: string, position: WalPosition, maxBytes: number): CommittedFrames =>
  readCommitted(path, { position, maxBytes, countCommitted: () => Infinity });

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(folder, { recursive: true }));

/** How much each transaction writes, and whether it is rolled back after its pages have gone to the log. */
const transactions = fc.array(fc.record({ rows: fc.integer({ min: 1, max: 30 }), isRolledBack: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});

/** A file with a log that nobody has moved to it; returns both. */
function writeLog(
  pageBytes: number,
  written: readonly { readonly rows: number; readonly isRolledBack: boolean }[],
): { readonly main: Buffer; readonly log: Buffer } {
  const path = join(folder, `${pageBytes}.sqlite`);
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const database = new DatabaseSync(path);
  database.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal; pragma wal_autocheckpoint = 0`);
  database.exec('create table t (id integer primary key, text text); pragma wal_checkpoint(truncate)');
  // So few pages that they go to the log before the COMMIT.
  database.exec('pragma cache_size = 3');
  const insert = database.prepare('insert into t (text) values (?)');
  for (const { rows, isRolledBack } of written) {
    database.exec('begin');
    for (let row = 0; row < rows; row += 1) insert.run('x'.repeat(1 + ((row * 397) % 900)));
    database.exec(isRolledBack ? 'rollback' : 'commit');
  }
  const both = { main: readFileSync(path), log: readFileSync(`${path}-wal`) };
  database.close();
  return both;
}

const readRows = (path: string): unknown[] => {
  const database = new DatabaseSync(path);
  try {
    assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
    return database.prepare('select id, text from t order by id').all();
  } finally {
    database.close();
  }
};

/** What SQLite recovers from both files. */
function readBySqlite(main: Buffer, log: Buffer): unknown[] {
  const path = join(folder, 'oracle.sqlite');
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  return readRows(path);
}

/** The same by the frames that are read, in parts of this size. */
function readByFrames(main: Buffer, log: Buffer, maxBytes: number): unknown[] {
  const path = join(folder, 'frames.sqlite');
  const logPath = join(folder, 'frames.log');
  writeFileSync(path, main);
  writeFileSync(logPath, log);
  const file = openSync(path, 'r+');
  let position = noLog;
  for (let isAtEnd = false; !isAtEnd;) {
    const frames = read(logPath, position, maxBytes);
    if (frames.to.header !== undefined)
      for (const { page, content } of readFrames(frames.to.header, frames.from.place, frames.bytes))
        writeSync(file, content, 0, content.length, (page - 1) * frames.to.header.pageBytes);
    ({ to: position, isAtEnd } = frames);
  }
  closeSync(file);
  return readRows(path);
}

test('[backups.10] the frames that are read are those that SQLite recovers, at every page size and in parts of any size', () => {
  fc.assert(
    fc.property(fc.constantFrom(512, 1024, 4096, 65_536), transactions, fc.nat(200_000), (pageBytes, written, part) => {
      const { main, log } = writeLog(pageBytes, written);
      assert.deepEqual(readByFrames(main, log, part), readBySqlite(main, log));
    }),
    { numRuns: 60 },
  );
});

test('[backups.10] of a log that is cut short or damaged, what SQLite recovers is read', () => {
  const { main, log } = writeLog(
    1024,
    [3, 9, 1, 22, 5].map((rows) => ({ rows, isRolledBack: false })),
  );
  assert.equal(readBySqlite(main, log).length, 40);
  fc.assert(
    fc.property(fc.nat(log.length), fc.option(fc.tuple(fc.nat(log.length - 1), fc.nat(7))), (length, flipped) => {
      const damaged = Buffer.from(log);
      if (flipped !== null) damaged[flipped[0]] = (damaged[flipped[0]] ?? 0) ^ (1 << flipped[1]);
      const cut = damaged.subarray(0, length);
      assert.deepEqual(readByFrames(main, cut, 1_000_000), readBySqlite(main, cut));
    }),
    {
      numRuns: 150,
      examples: Array.from({ length: 32 }, (_, at): [number, [number, number]] => [log.length, [at, at % 8]]),
    },
  );
});

test('a log that was changed or cut short where it was read already is not read on', () => {
  const { log } = writeLog(1024, [{ rows: 20, isRolledBack: false }]);
  const path = join(folder, 'changed.log');
  writeFileSync(path, log);
  const { to } = read(path, noLog, 1_000_000);
  assert.ok(to.place.frames > 3);
  assert.equal(read(path, to, 1_000_000).bytes.length, 0);
  truncateSync(path, 32 + 1048 * (to.place.frames - 1));
  assert.throws(() => read(path, to, 1_000_000), RewrittenLogError);
  const changed = Buffer.from(log);
  changed.writeUInt32BE(7, 32 + 1048 * (to.place.frames - 1) + 16);
  writeFileSync(path, changed);
  assert.throws(() => read(path, to, 1_000_000), RewrittenLogError);
  assert.deepEqual(read(join(folder, 'none.log'), to, 1).to, noLog, 'a log that was removed');
});

test('what is no whole header of a log is none', () => {
  const { log } = writeLog(512, [{ rows: 1, isRolledBack: false }]);
  assert.equal(parseWalHeader(log)?.pageBytes, 512);
  for (let at = 0; at < 32; at += 1) {
    const damaged = Buffer.from(log.subarray(0, 32));
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    assert.equal(parseWalHeader(damaged), undefined, `byte ${at}`);
    assert.equal(parseWalHeader(log.subarray(0, at)), undefined, `${at} bytes`);
  }
});
