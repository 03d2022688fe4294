// The service and `backup follow` are killed at random moments while it is written: what was acknowledged before the time
// that the restore names is there, and every proof is clean.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { requireCleanVerification } from '../support/clean-verification.ts';
import {
  createFollowedService,
  restoreMoment,
  type FollowedService,
  type RestoredMoment,
} from '../support/followed-service.ts';
import { runPortal } from '../support/portal-process.ts';

/** An interval of one second, and as much time to copy as a busy machine may take. */
const boundMs = 10_000;
const rounds = 3;

/** Mulberry32: the same moments in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let followed: FollowedService;
before(async () => (followed = await createFollowedService()));
after(() => followed.release());

/** Requires what was answered before `untilMs`, and refuses what was sent after `atMs`. */
function requireWrites({ values, untilMs }: RestoredMoment, atMs: number): void {
  const missing = followed.written.filter(({ value, answeredAtMs }) => answeredAtMs < untilMs && !values.has(value));
  const later = followed.written.filter(({ value, sentAtMs }) => sentAtMs > atMs && values.has(value));
  assert.deepEqual([missing, later], [[], []]);
}

test('[backups.12] of a service and its copier that are killed again and again, nothing acknowledged before the last copy is lost, and a moment in the middle is restored as it was', async (t) => {
  const random = createRandom(20_260_601);
  let middleMs = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const [service, follower] = [await followed.serve(), await followed.follow()];
    const writing = followed.writeOn(service);
    await followed.waitForCopy();
    await followed.waitForCopy();
    middleMs = Date.now();
    await pause(1000 + random() * 1500);
    const isServiceFirst = random() < 0.5;
    if (isServiceFirst) await service.kill();
    follower.signal('SIGKILL');
    await follower.ended;
    const killedAtMs = Date.now();
    await service.kill();
    await writing;
    assert.equal(follower.stderr(), '');
    const verified = await runPortal(['backup', 'verify', followed.copy], followed.settings);
    assert.equal(verified.code, 0, verified.stderr);
    const newest = await restoreMoment(followed);
    try {
      requireWrites(newest, killedAtMs);
      t.diagnostic(
        `round ${round}: ${followed.written.length} writes, copied until ${killedAtMs - newest.untilMs} ms before the kill`,
      );
      assert.ok(newest.untilMs > killedAtMs - boundMs, `round ${round}: ${killedAtMs - newest.untilMs} ms are lost`);
    } finally {
      await newest.release();
    }
  }
  const middle = await restoreMoment(followed, '--at', new Date(middleMs).toISOString());
  try {
    requireWrites(middle, middleMs);
    assert.ok(middle.untilMs <= middleMs && middle.untilMs > middleMs - boundMs);
    assert.ok(
      followed.written.some(({ answeredAtMs }) => answeredAtMs < middle.untilMs),
      'there are writes before',
    );
    assert.ok(
      followed.written.some(({ sentAtMs }) => sentAtMs > middleMs),
      'there are writes after',
    );
    await requireCleanVerification(middle.settings);
  } finally {
    await middle.release();
  }
});
