// What `backup follow --keep-days` removes of a copy that has been written for days, and what becomes of its passed hours.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createCopyContainer } from '../../src/features/backups/commands/tenant-copies.ts';
import { DatabaseFollower, defaultFollowLimits } from '../../sqlite-follower/database-follower.ts';
import { isGenerationName } from '../../sqlite-follower/copy-names.ts';
import { waitUntil } from '../support/async.ts';
import { runPortal } from '../support/portal-process.ts';
import {
  createFollowedCopy,
  filesOf,
  followCopy,
  restoredNames,
  setName,
  type FollowedCopy,
} from './support/followed-copy.ts';

const [minuteMs, dayMs] = [60_000, 86_400_000];

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(folder, { recursive: true }));

/** Follows as the command did so many days ago: four files in each of two hours, and one in the third. */
async function followDaysAgo({ data, copy, database }: FollowedCopy, days: number): Promise<void> {
  let nowMs = Math.floor((Date.now() - days * dayMs) / (60 * minuteMs)) * 60 * minuteMs;
  const follower = new DatabaseFollower({
    tenant: 'sund',
    file: join(data, 'sund.sqlite'),
    folder: copy,
    container: createCopyContainer(undefined),
    log: pino({ level: 'silent' }),
    limits: { ...defaultFollowLimits, maxLogBytes: 1e9, joined: { periodMs: Number.MAX_SAFE_INTEGER, maxBytes: 0 } },
    keepMs: undefined,
    now: () => nowMs,
  });
  await follower.resume();
  await follower.copy();
  await follower.settle();
  for (let file = 1; file <= 9; file += 1) {
    setName(database, `${days} days ago ${file}`);
    await follower.copy();
    nowMs += 15 * minuteMs;
  }
  await follower.close();
  // As if the service had written for long while nobody followed it.
  setName(database, `after ${days} days ago`);
  database.exec('pragma wal_checkpoint(truncate)');
  setName(database, `in the gap after ${days} days ago`);
}

const generations = (copy: string): string[] => readdirSync(copy).filter(isGenerationName).toSorted();

test('[backups.18] with --keep-days older generations are removed when a base is written, but not the one that a kept moment needs, and the hours of the others are joined', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, settings, database } = followed;
  mkdirSync(copy);
  await followDaysAgo(followed, 10);
  await followDaysAgo(followed, 5);
  const [oldest = '', needed = ''] = generations(copy);
  assert.ok(filesOf(join(copy, needed), /segment-/).length >= 9);
  const running = await followCopy(followed, '--keep-days', '3');
  await running.says(`"removed":"${oldest}"`);
  setName(database, 'today');
  await waitUntil('it is copied', () => filesOf(copy, /segment-/).some((name) => !name.startsWith(needed)));
  await waitUntil('the passed hours are joined', () => filesOf(join(copy, needed), /joined-/).length === 2);
  await waitUntil('one file is left', () => filesOf(join(copy, needed), /segment-/).length === 1);
  await running.stop();
  database.close();
  assert.equal(generations(copy)[0], needed);
  assert.deepEqual([generations(copy).length, filesOf(join(copy, needed), /base-/).length], [2, 1]);
  const verified = await runPortal(['backup', 'verify', copy], settings);
  assert.equal(verified.code, 0, verified.stderr);
  const newest = await restoredNames(followed);
  assert.ok(newest.includes('today') && newest.includes('in the gap after 5 days ago'));
  const hour = Math.floor((Date.now() - 5 * dayMs) / (60 * minuteMs)) * 60 * minuteMs;
  const middle = await restoredNames(followed, '--at', new Date(hour + 50 * minuteMs).toISOString());
  const ofThatDay = middle.filter((name) => name.startsWith('5 days ago'));
  assert.deepEqual(
    ofThatDay,
    [1, 2, 3, 4].map((file) => `5 days ago ${file}`),
  );
});

test('[backups.18] with --keep-days the newest generation that has a base stays, however old it is', async () => {
  const followed = await createFollowedCopy(folder);
  const { copy, database } = followed;
  mkdirSync(copy);
  await followDaysAgo(followed, 10);
  const [oldest = ''] = generations(copy);
  const files = filesOf(join(copy, oldest), /base-/);
  const running = await followCopy(followed, '--keep-days', '1');
  await running.says('a base was written');
  await running.stop();
  // With a base of its own the next generation is what is kept; the older one has the moments of the first of the kept days.
  assert.equal(generations(copy).length, 2);
  assert.deepEqual(filesOf(join(copy, oldest), /base-/), files);
  database.close();
  assert.ok((await restoredNames(followed)).includes('in the gap after 10 days ago'));
});
