// A database that is written, checkpointed and closed in every order while it is followed: at each time at which it was
// copied it can be restored, byte for byte in its rows, and no gap is silent.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { buildDatabase } from '../../sqlite-follower/build-database.ts';
import { DatabaseFollower } from '../../sqlite-follower/database-follower.ts';
import { joinSegments } from '../../sqlite-follower/join-segments.ts';
import { verifyCopy } from '../../sqlite-follower/verify-copy.ts';
import { listGenerations } from '../../sqlite-follower/read-copy.ts';
import type { JoinLimits } from '../../sqlite-follower/join-periods.ts';
import { createCopyContainer } from '../../src/features/backups/commands/tenant-copies.ts';
import { keyFile as key } from '../support/backups.ts';

const tenant = 'sund';
const log = pino({ level: 'silent' });

/** So small that files are joined all the time: the clock goes on a millisecond each time that it is read. */
const shortPeriods: JoinLimits = { periodMs: 60, maxBytes: 100_000 };

/** So small that the log is moved to the file, and writers wait, all the time. */
const limits = { checkpointFrames: 20, handOverFrames: 60, handOverPauseMs: 3, maxLogBytes: 1e9, joined: shortPeriods };

let root: string;
before(() => (root = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(root, { recursive: true }));

type Step =
  | { readonly kind: 'write'; readonly rows: number; readonly bytes: number; readonly isRolledBack: boolean }
  | { readonly kind: 'update' | 'delete' | 'copy' | 'restart' | 'kill' | 'reopen' | 'read' }
  | { readonly kind: 'checkpoint'; readonly mode: 'passive' | 'full' | 'restart' | 'truncate' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      rows: fc.integer({ min: 1, max: 40 }),
      bytes: fc.integer({ min: 1, max: 3000 }),
      isRolledBack: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('copy' as const, 'update' as const, 'delete' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('restart' as const, 'kill' as const, 'reopen' as const, 'read' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('checkpoint' as const),
      mode: fc.constantFrom('passive' as const, 'full' as const, 'restart' as const, 'truncate' as const),
    }),
  },
);

const steps = fc.array(anyStep, { minLength: 5, maxLength: 60 });

const smallWrite: Step = { kind: 'write', rows: 1, bytes: 10, isRolledBack: false };

/** With a file after each step that writes. */
const stepsWithCopies = fc
  .array(anyStep, { minLength: 30, maxLength: 40 })
  .map((given) => given.flatMap((each): Step[] => [each, { kind: 'copy' }]));

const manyFiles = Array.from({ length: 30 }, () => [smallWrite, { kind: 'copy' } as const]).flat();

const dump = (database: DatabaseSync): string =>
  JSON.stringify(database.prepare('select id, text from t order by id').all());

/** The service's side: a writer, and a reader that is in the way of checkpoints now and then. */
class Source {
  readonly path: string;
  #writer: DatabaseSync;
  #reader: DatabaseSync | undefined;

  constructor(path: string) {
    this.path = path;
    this.#writer = new DatabaseSync(path, { timeout: 0 });
    this.#writer.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 50; pragma cache_size = 5');
    this.#writer.exec('create table if not exists t (id integer primary key, text text)');
  }

  apply(step: Step): void {
    if (step.kind === 'write') {
      this.#writer.exec('begin immediate');
      const insert = this.#writer.prepare('insert into t (text) values (?)');
      for (let row = 0; row < step.rows; row += 1) insert.run(`${row}`.repeat(step.bytes));
      this.#writer.exec(step.isRolledBack ? 'rollback' : 'commit');
    } else if (step.kind === 'update') this.#writer.exec("update t set text = text || 'x' where id % 3 = 0");
    else if (step.kind === 'delete') this.#writer.exec('delete from t where id % 5 = 0');
    else if (step.kind === 'checkpoint') this.#writer.prepare(`pragma wal_checkpoint(${step.mode})`).get();
    else if (step.kind === 'read') this.#toggleReader();
    else if (step.kind === 'reopen') {
      this.close();
      this.#writer = new DatabaseSync(this.path, { timeout: 0 });
      this.#writer.exec('pragma wal_autocheckpoint = 50; pragma cache_size = 5');
    }
  }

  #toggleReader(): void {
    this.#reader?.close();
    this.#reader = this.#reader === undefined ? new DatabaseSync(this.path) : undefined;
    this.#reader?.exec('begin; select count(*) from t');
  }

  dump = (): string => dump(this.#writer);

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#writer.close();
  }
}

type Followed = { readonly folder: string; readonly copied: Map<number, string>; readonly generations: number };

/** Runs the steps; what the database was at the end of each copy, by time. */
async function runSteps(
  given: readonly Step[],
  { keyFile, joined = shortPeriods }: { readonly keyFile?: Uint8Array | undefined; readonly joined?: JoinLimits } = {},
): Promise<Followed> {
  const home = mkdtempSync(join(root, 'case-'));
  const folder = join(home, 'copy');
  mkdirSync(folder);
  const source = new Source(join(home, 'sund.sqlite'));
  let time = Date.parse('2026-06-01T12:00:00Z');
  const now = (): number => (time += 1);
  const open = async (): Promise<DatabaseFollower> => {
    const input = {
      tenant,
      file: source.path,
      folder,
      container: createCopyContainer(keyFile),
      log,
      limits: { ...limits, joined },
      keepMs: undefined,
      now,
    };
    const opened = new DatabaseFollower(input);
    await opened.resume();
    return opened;
  };
  let follower = await open();
  const copied = new Map<number, string>();
  const copy = async (): Promise<void> => {
    await follower.copy();
    copied.set(now(), source.dump());
    // A base is written meanwhile.
    await nextTurn();
  };
  await copy();
  for (const step of given)
    if (step.kind === 'copy') await copy();
    else if (step.kind === 'restart' || step.kind === 'kill') {
      if (step.kind === 'restart') await copy();
      await follower.close();
      follower = await open();
    } else source.apply(step);
  await copy();
  await follower.settle();
  await copy();
  await follower.close();
  source.close();
  return { folder, copied, generations: (await listGenerations(folder)).length };
}

async function build(folder: string, atMs: number | undefined, keyFile?: Uint8Array): Promise<string> {
  const path = join(mkdtempSync(join(root, 'built-')), 'built.sqlite');
  const requireTenant = (copied: string): void => assert.equal(copied, tenant);
  await buildDatabase(path, { folder, container: createCopyContainer(keyFile), atMs, requireTenant });
  const database = new DatabaseSync(path);
  try {
    assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
    return dump(database);
  } finally {
    database.close();
  }
}

test('[backups.11] whatever is written, checkpointed and restarted in whatever order, each copied moment is restored as it was, or refused as before a base or in a gap', async () => {
  let [refused, restored, joined] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { folder, copied } = await runSteps(given);
      await verifyCopy({ folder, container: createCopyContainer(undefined) });
      joined += listFiles(folder).filter((name) => name.includes('joined-')).length;
      const last = [...copied.values()].at(-1);
      assert.equal(await build(folder, undefined), last, 'the newest');
      for (const [atMs, content] of copied) {
        const built = await build(folder, atMs).catch((error: Error) => {
          assert.match(error.message, /^(?:begins at|has nothing between) /);
          return undefined;
        });
        if (built === undefined) refused += 1;
        else {
          restored += 1;
          assert.equal(built, content, `at ${new Date(atMs).toISOString()}`);
        }
      }
    }),
    // One that writes so many files that some are joined.
    { numRuns: 40, examples: [[manyFiles]] },
  );
  assert.ok(restored > refused, `${restored} restored, ${refused} refused`);
  assert.ok(joined > 0, 'files were joined meanwhile');
});

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/') && statSync(join(folder, name)).isFile())
    .toSorted();

/** What each moment is restored to, or why it is not. */
async function restoreAll(folder: string, moments: readonly number[], keyFile?: Uint8Array): Promise<string[]> {
  const results: string[] = [];
  for (const atMs of moments)
    results.push(await build(folder, atMs, keyFile).catch((error: Error) => `refused: ${error.message}`));
  return results;
}

test('[backups.17] every moment is restored from joined files as from single ones, also where joining was cut short at any step', async () => {
  let [joinedFiles, single] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      stepsWithCopies,
      fc.constantFrom(undefined, key),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
      async (given, keyFile, stillThere) => {
        const source = { keyFile, joined: { periodMs: Number.MAX_SAFE_INTEGER, maxBytes: 0 } };
        const { folder, copied } = await runSteps(given, source);
        const moments = [...copied.keys()].flatMap((atMs, index) => (index % 3 === 0 ? [atMs - 3, atMs] : [atMs]));
        const unjoined = await restoreAll(folder, moments, keyFile);
        const verified = await verifyCopy({ folder, container: createCopyContainer(keyFile) });
        const files = listFiles(folder);
        const kept = mkdtempSync(join(root, 'kept-'));
        cpSync(folder, kept, { recursive: true });
        const requireSame = async (state: string): Promise<void> => {
          assert.deepEqual(await restoreAll(folder, moments, keyFile), unjoined, state);
          assert.deepEqual(await verifyCopy({ folder, container: createCopyContainer(keyFile) }), verified, state);
        };
        await joinSegments(folder, shortPeriods, new AbortController().signal);
        const joined = listFiles(folder);
        joinedFiles += joined.filter((name) => name.includes('joined-')).length;
        single += files.length;
        await requireSame('joined');
        // Killed before the first of the single files was removed, or between two of them.
        for (const [index, name] of files.entries())
          if (stillThere[index % stillThere.length] === true) cpSync(join(kept, name), join(folder, name));
        await requireSame('half removed');
        await joinSegments(folder, shortPeriods, new AbortController().signal);
        assert.deepEqual(listFiles(folder), joined, 'the next run removes the rest');
      },
    ),
    { numRuns: 6, examples: [[manyFiles, key, [true, false]]] },
  );
  assert.ok(joinedFiles >= 2 && single > 2 * joinedFiles, `${joinedFiles} joined files, ${single} before`);
});
