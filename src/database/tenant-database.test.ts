// The course of a read and of a write, stage by stage, over a pool that does what a test says: whatever fails and
// whenever the deadline hits, a connection is given back exactly once, and only a sound one to be used again.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Connection, Pool } from './connection.ts';
import type { Db, SqlDialect } from './db.ts';
import { NotCommittedError, type StorageFailure } from './errors.ts';
import { createTenantDatabase } from './tenant-database.ts';

const stages = ['acquire', 'begin', 'work', 'commit', 'rollback'] as const;
type Stage = (typeof stages)[number];
type Step = () => Promise<void>;

class EngineError extends Error {
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure) {
    super(`engine: ${failure}`);
    this.failure = failure;
  }
}

const fails =
  (failure: StorageFailure): Step =>
  () =>
    Promise.reject(new EngineError(failure));
const refusal = new Error('refused by the work');
const refuses: Step = () => Promise.reject(refusal);
const passes: Step = async () => {};

/** A step that waits until the test lets it go on, one way or the other. */
function waits(): { step: Step; letGo(): void; letFail(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { step: () => promise, letGo: resolve, letFail: () => reject(new EngineError('outcome-unknown')) };
}

/** Each stage's steps, one for each run; what is not given passes. */
type Script = Partial<Record<Stage, Step[]>>;

function createScriptedDatabase(script: Script, doomed: unknown[] = []) {
  const log: string[] = [];
  const told: string[][] = [];
  const next = (stage: Stage): Promise<void> => {
    log.push(stage);
    return (script[stage]?.shift() ?? passes)();
  };
  const connection: Connection = {
    begin: async () => {
      await next('begin');
      return { db: { changedTopics: new Set<string>() } as Db, close: () => log.push('closed') };
    },
    aborted: () => doomed.shift(),
    commit: () => next('commit'),
    rollback: () => next('rollback'),
    runMigrations: () => assert.fail('not here'),
    cancel: () => log.push('cancel'),
  };
  const pool: Pool = {
    dialect: {
      engine: 'sqlite',
      classifyError: (error: unknown) => (error instanceof EngineError ? error.failure : 'defect'),
    } as SqlDialect,
    acquire: async () => {
      await next('acquire');
      return connection;
    },
    release: (_, broken) => void log.push(broken ? 'thrown away' : 'released'),
    close: async () => {},
  };
  const database = createTenantDatabase(pool, (topics) => told.push([...topics]));
  const work = async (db: Db): Promise<string> => {
    db.changedTopics.add('x');
    await next('work');
    return 'result';
  };
  return { database, work, log, told };
}

const options = { deadlineMs: 5000 };
const kind = (failure: StorageFailure): { failure: StorageFailure } => ({ failure });

test('a write is begun, done, committed and told, and its connection is used again', async () => {
  const { database, work, log, told } = createScriptedDatabase({});
  assert.equal(await database.write(options, work), 'result');
  assert.deepEqual(log, ['acquire', 'begin', 'work', 'closed', 'commit', 'released']);
  assert.deepEqual(told, [['x']]);
});

for (const [name, script, log] of [
  ['undone', { work: [refuses] }, ['begin', 'work', 'closed', 'rollback', 'released']],
  [
    'undone in vain',
    { work: [refuses], rollback: [fails('outcome-unknown')] },
    ['begin', 'work', 'closed', 'rollback', 'thrown away'],
  ],
] as const)
  test(`a refusal arrives as it is, its transaction ${name}`, async () => {
    for (const way of ['read', 'write'] as const) {
      const scripted = createScriptedDatabase(structuredScript(script));
      await assert.rejects(scripted.database[way](options, scripted.work), (error) => error === refusal);
      assert.deepEqual(scripted.log, ['acquire', ...log]);
      assert.deepEqual(scripted.told, []);
    }
  });

test('a connection through which storage is unavailable is not used again', async () => {
  const { database, work, log } = createScriptedDatabase({ work: [fails('unavailable')] });
  await assert.rejects(database.write(options, work), kind('unavailable'));
  assert.deepEqual(log, ['acquire', 'begin', 'work', 'closed', 'thrown away']);
});

describe('run again', () => {
  const again = ['acquire', 'begin', 'work', 'closed', 'commit', 'released'];

  test('a write whose connection was lost as it began, and a read', async () => {
    for (const way of ['read', 'write'] as const) {
      const { database, work, log } = createScriptedDatabase({
        begin: [fails('outcome-unknown')],
        rollback: [fails('outcome-unknown')],
      });
      assert.equal(await database[way](options, work), 'result');
      assert.deepEqual(log, ['acquire', 'begin', 'rollback', 'thrown away', ...again]);
    }
  });

  test('a write that was rolled back in its work, or in its commit, told once', async () => {
    for (const stage of ['work', 'commit'] as const) {
      const { database, work, log, told } = createScriptedDatabase({ [stage]: [fails('rolled-back')] });
      assert.equal(await database.write(options, work), 'result');
      assert.deepEqual(log.slice(-7), ['released', ...again]);
      assert.deepEqual(told, [['x']]);
    }
  });

  test('a write that the engine has given up is not sent to be committed', async () => {
    const { database, work, log, told } = createScriptedDatabase({}, [new EngineError('rolled-back')]);
    assert.equal(await database.write(options, work), 'result');
    assert.deepEqual(log, ['acquire', 'begin', 'work', 'closed', 'rollback', 'released', ...again]);
    assert.deepEqual(told, [['x']]);
  });

  test('not a read that the engine has given up: what it found is not answered', async () => {
    const { database, work, log } = createScriptedDatabase({}, [new EngineError('rolled-back')]);
    await assert.rejects(database.read(options, work), kind('unavailable'));
    assert.deepEqual(log, ['acquire', 'begin', 'work', 'closed', 'rollback', 'released']);
  });

  test('not a ninth time, and no read that had begun its work', async () => {
    const writing = createScriptedDatabase({ work: Array.from({ length: 9 }, () => fails('rolled-back')) });
    await assert.rejects(writing.database.write(options, writing.work), kind('unavailable'));
    assert.equal(writing.log.filter((stage) => stage === 'work').length, 8);
    const reading = createScriptedDatabase({ work: [fails('rolled-back')] });
    await assert.rejects(reading.database.read(options, reading.work), kind('unavailable'));
    assert.equal(reading.log.filter((stage) => stage === 'work').length, 1);
  });
});

test('a commit that fails in any way but a proven rollback: outcome unknown, once, told', async () => {
  for (const failure of ['outcome-unknown', 'unavailable', 'timeout', 'defect', 'duplicate'] as const) {
    const { database, work, log, told } = createScriptedDatabase({ commit: [fails(failure)] });
    await assert.rejects(database.write(options, work), kind('outcome-unknown'));
    assert.equal(log.filter((stage) => stage === 'work').length, 1);
    assert.deepEqual(told, [['x']]);
  }
});

test('a commit that provably stored nothing: unavailable, once, not told', async () => {
  const refusesCommit: Step = () => Promise.reject(new NotCommittedError(new EngineError('unavailable')));
  const { database, work, log, told } = createScriptedDatabase({ commit: [refusesCommit] });
  await assert.rejects(database.write(options, work), kind('unavailable'));
  assert.deepEqual(log, ['acquire', 'begin', 'work', 'closed', 'commit', 'rollback', 'released']);
  assert.deepEqual(told, []);
});

test('before the commit a lost connection is no more than unavailable', async () => {
  for (const way of ['read', 'write'] as const) {
    const { database, work, told } = createScriptedDatabase({ work: [fails('outcome-unknown')] });
    await assert.rejects(database[way](options, work), kind('unavailable'));
    assert.deepEqual(told, []);
  }
});

describe('a deadline', () => {
  const ends = [
    ['goes on', 'letGo'],
    ['fails', 'letFail'],
  ] as const;

  for (const [how, end] of ends)
    test(`while waiting for a connection, which ${how} later`, async () => {
      const waiting = waits();
      const { database, work, log, told } = createScriptedDatabase({ acquire: [waiting.step] });
      await assert.rejects(database.write({ deadlineMs: 5 }, work), kind('timeout'));
      waiting[end]();
      await turn();
      assert.deepEqual(log, end === 'letGo' ? ['acquire', 'released'] : ['acquire']);
      assert.deepEqual(told, []);
    });

  for (const stage of ['begin', 'work', 'commit', 'rollback'] as const)
    for (const [how, end] of ends)
      test(`in ${stage}, which ${how} later: cancelled and thrown away, once`, async () => {
        const waiting = waits();
        const before = stage === 'rollback' ? { work: [refuses] } : {};
        const { database, work, log, told } = createScriptedDatabase({ ...before, [stage]: [waiting.step] });
        const expected = stage === 'commit' ? 'outcome-unknown' : 'timeout';
        await assert.rejects(database.write({ deadlineMs: 5 }, work), kind(expected));
        assert.deepEqual(told, stage === 'commit' ? [['x']] : []);
        waiting[end]();
        await turn();
        assert.equal(log.filter((entry) => entry === 'cancel').length, 1);
        assert.deepEqual(
          log.filter((entry) => entry === 'released' || entry === 'thrown away'),
          ['thrown away'],
        );
        assert.equal(told.length, stage === 'commit' ? 1 : 0);
      });
});

/** The steps are used up by a course, so that each needs its own. */
function structuredScript(script: Readonly<Partial<Record<Stage, readonly Step[]>>>): Script {
  return Object.fromEntries(Object.entries(script).map(([stage, steps]) => [stage, [...steps]]));
}
