// The joined files of a copy: who joins them is killed, somebody reads them meanwhile, or they are damaged.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { buildDatabase } from '../../sqlite-follower/build-database.ts';
import { joinSegments } from '../../sqlite-follower/join-segments.ts';
import { listGenerations } from '../../sqlite-follower/read-copy.ts';
import { verifyCopy } from '../../sqlite-follower/verify-copy.ts';
import { createCopyContainer } from '../../src/features/backups/commands/tenant-copies.ts';
import { waitUntil } from '../support/async.ts';
import { keyFile } from '../support/backups.ts';
import { filesOf } from '../backups/support/followed-copy.ts';

const container = createCopyContainer(keyFile);
const requireTenant = (copied: string): void => assert.equal(copied, 'sund');
const program = join(import.meta.dirname, 'support/joining-follower.ts');

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
const databases: WrittenDatabase[] = [];
after(async () => {
  for (const database of databases) await database.release();
  rmSync(folder, { recursive: true });
});

type Written = { readonly id: number; readonly committedMs: number };

class WrittenDatabase {
  readonly home = mkdtempSync(join(folder, 'written-'));
  readonly path = join(this.home, 'sund.sqlite');
  readonly copy = join(this.home, 'copy');
  readonly written: Written[] = [];
  readonly source = { folder: this.copy, container };
  readonly #key = join(this.home, 'key');
  readonly #database = new DatabaseSync(this.path, { timeout: 5000 });
  #writing: Promise<void> | undefined;
  #follower: { kill(): Promise<void> } | undefined;
  #isOver = false;

  constructor() {
    this.#database.exec(
      'pragma journal_mode = wal; pragma wal_autocheckpoint = 4000; create table t (id integer primary key)',
    );
    mkdirSync(this.copy);
    writeFileSync(this.#key, keyFile);
    databases.push(this);
  }

  beginWriting(): void {
    this.#writing = this.#write();
  }

  /** Each some milliseconds a transaction. */
  async #write(): Promise<void> {
    while (!this.#isOver) {
      const { lastInsertRowid } = this.#database.prepare('insert into t default values').run();
      this.written.push({ id: Number(lastInsertRowid), committedMs: Date.now() });
      await pause(3);
    }
    this.#database.close();
  }

  async endWriting(): Promise<void> {
    this.#isOver = true;
    await this.#writing;
  }

  /** Whatever has failed before. */
  async release(): Promise<void> {
    await this.endWriting();
    await this.#follower?.kill();
  }

  follow(): { kill(): Promise<void> } {
    const child = spawn(process.execPath, [program, this.path, this.copy, this.#key], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      assert.deepEqual(await ended, [null, 'SIGKILL']);
    };
    this.#follower = { kill };
    return this.#follower;
  }

  readonly files = (kind: RegExp): string[] => filesOf(this.copy, kind);

  /** Waits until the process has written a base, without which nothing can be restored. */
  waitForBase = (): Promise<void> => waitUntil('there is a base', () => this.files(/base-.*\.copy$/).length > 0);

  async requireWritten(atMs: number | undefined): Promise<void> {
    const path = join(mkdtempSync(join(folder, 'built-')), 'built.sqlite');
    const { untilMs } = await buildDatabase(path, { ...this.source, atMs, requireTenant });
    const database = new DatabaseSync(path);
    const ids = new Set(
      database
        .prepare('select id from t')
        .all()
        .map((row) => row['id']),
    );
    database.close();
    assert.deepEqual(
      this.written.filter(({ id, committedMs }) => committedMs < untilMs && !ids.has(id)),
      [],
    );
  }
}

/** Waits for a file of the copy with such a name, for as short a time as the system can tell it. */
async function waitForFile(copy: string, kind: RegExp): Promise<void> {
  const stopped = new AbortController();
  await new Promise<void>((resolve) => {
    const watcher = watch(copy, { recursive: true, signal: stopped.signal });
    watcher.on('change', (_event, name) => {
      if (kind.test(String(name))) resolve();
    });
  });
  stopped.abort();
}

test('[backups.17] whoever joins files is killed while it writes the joined one, or while it removes the others: nothing is lost, and the next run goes on', async (t) => {
  const database = new WrittenDatabase();
  database.beginWriting();
  for (const at of [/joined-.*\.part$/, /joined-.*\.copy$/, /joined-.*\.part$/, /joined-.*\.copy$/]) {
    const follower = database.follow();
    await database.waitForBase();
    const beganMs = Date.now();
    await waitForFile(database.copy, at);
    await follower.kill();
    const middleMs = Math.floor((beganMs + Date.now()) / 2);
    const [parts, joined, single] = [/\.part$/, /joined-.*\.copy$/, /segment-/].map(
      (kind) => database.files(kind).length,
    );
    t.diagnostic(`killed with ${joined} joined, ${single} single and ${parts} unfinished files`);
    await verifyCopy(database.source);
    await database.requireWritten(undefined);
    await database.requireWritten(middleMs);
  }
  const follower = database.follow();
  await waitForFile(database.copy, /joined-.*\.copy$/);
  await waitForFile(database.copy, /joined-.*\.copy$/);
  await database.endWriting();
  const { length } = database.written;
  await waitUntil('all is copied', async () => {
    const path = join(mkdtempSync(join(folder, 'built-')), 'built.sqlite');
    await buildDatabase(path, { ...database.source, atMs: undefined, requireTenant });
    const built = new DatabaseSync(path);
    const { n } = { ...built.prepare('select count(*) as n from t').get() };
    built.close();
    return n === length;
  });
  await follower.kill();
  await joinSegments(database.copy, { periodMs: 500, maxBytes: 1e9 }, new AbortController().signal);
  assert.deepEqual(database.files(/\.part$/), [], 'nothing unfinished is left');
  for (const { segments } of (await listGenerations(database.copy)).slice(0, -1))
    for (const [index, { isJoined, atMs }] of segments.entries()) {
      const next = segments[index + 1];
      const areAlike = !isJoined && next?.isJoined === false && Math.floor(next.atMs / 500) === Math.floor(atMs / 500);
      assert.ok(!areAlike, 'before the newest generation, single files of one period do not follow each other');
    }
  assert.equal(
    (await verifyCopy(database.source)).length,
    new Set(database.files(/base-/).map((name) => name.split('/')[0])).size,
  );
});

test('[backups.17] a copy is verified and restored while its files are joined', async () => {
  const database = new WrittenDatabase();
  database.beginWriting();
  const follower = database.follow();
  await database.waitForBase();
  for (let joined = 0; joined < 4; joined = database.files(/joined-/).length) {
    await verifyCopy(database.source);
    await database.requireWritten(undefined);
  }
  await database.endWriting();
  await follower.kill();
});

test('[backups.13] a joined file that is damaged, shortened, mixed up or missing is found by verify and refused by restore', async () => {
  const database = new WrittenDatabase();
  database.beginWriting();
  const follower = database.follow();
  await database.waitForBase();
  await waitUntil('files are joined', () => database.files(/joined-.*\.copy$/).length >= 3);
  await database.endWriting();
  await follower.kill();
  await verifyCopy(database.source);
  const [first = '', second = ''] = database.files(/joined-.*\.copy$/);
  const cutSegments = (bytes: Buffer): Buffer[] => {
    const segments: Buffer[] = [];
    let at = bytes.indexOf('\n') + 1;
    while (at < bytes.length) {
      const lineEnd = bytes.indexOf('\n', at) + 1;
      const end = lineEnd + Number.parseInt(bytes.toString('latin1', at, lineEnd), 10);
      segments.push(bytes.subarray(at, end));
      at = end;
    }
    return segments;
  };
  const beginning = Buffer.from('portal-joined 1\n');
  const change = (to: string, work: (bytes: Buffer) => Buffer): void =>
    writeFileSync(join(to, second), work(readFileSync(join(to, second))));
  const cases: [damage: (to: string) => void, problem: RegExp][] = [
    [
      (to) =>
        change(to, (bytes) =>
          bytes.fill(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1, (bytes.length >> 1) + 1),
        ),
      /joined-\S+ /,
    ],
    [(to) => change(to, (bytes) => bytes.subarray(0, -10)), /joined-\S+, in it segment-\S+, is cut short/],
    [
      (to) => change(to, (bytes) => Buffer.concat([beginning, ...cutSegments(bytes).slice(0, -1)])),
      /joined-\S+ is cut short before part \d+/,
    ],
    [
      (to) => change(to, (bytes) => Buffer.concat([beginning, ...cutSegments(bytes).toSpliced(1, 1)])),
      /joined-\S+ has other parts than its name says/,
    ],
    [
      (to) => change(to, (bytes) => Buffer.concat([beginning, ...cutSegments(bytes).toReversed()])),
      /joined-\S+ has other parts than its name says/,
    ],
    [(to) => change(to, (bytes) => bytes.subarray(1)), /joined-\S+ is no joined file of a copy/],
    [(to) => cpSync(join(to, first), join(to, second)), /joined-\S+ has other parts than its name says/],
    [
      (to) => rmSync(join(to, second)),
      /lacks (?:part|the parts from) \d+ .*of the generation \S+: the file was removed/,
    ],
  ];
  for (const [damage, problem] of cases) {
    const damaged = mkdtempSync(join(folder, 'damaged-'));
    cpSync(database.copy, damaged, { recursive: true });
    damage(damaged);
    await assert.rejects(verifyCopy({ folder: damaged, container }), problem);
    const path = join(damaged, 'built.sqlite');
    await assert.rejects(buildDatabase(path, { folder: damaged, container, atMs: undefined, requireTenant }), problem);
  }
  // Single files that are not in the joined file are not removed.
  const doubtful = mkdtempSync(join(folder, 'doubtful-'));
  cpSync(database.copy, doubtful, { recursive: true });
  const [generation = '', name = ''] = second.split('/');
  const [, part = ''] = /^joined-(\d+)-/.exec(name) ?? [];
  const single = `segment-${part}-${part}-20260601T030000123Z.copy`;
  writeFileSync(join(doubtful, generation, single), 'text');
  await assert.rejects(
    joinSegments(doubtful, { periodMs: 500, maxBytes: 1e9 }, new AbortController().signal),
    /it lacks segment-/,
  );
  assert.ok(readdirSync(join(doubtful, generation)).includes(single));
});
