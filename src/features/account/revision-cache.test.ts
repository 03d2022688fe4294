// The shared revisions by themselves: who shares, for how long, and what makes them new.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommitListener, Databases } from '../../database/databases.ts';
import { ledgerTopic } from './queries/ledger-head.ts';
import { createRevisionCache } from './revision-cache.ts';

/** Revisions under a clock in the test's hand, with reads that are numbered. */
function opened() {
  const listeners: CommitListener[] = [];
  const databases = { onCommit: (listener: CommitListener) => listeners.push(listener) } as unknown as Databases;
  const clock = { ms: 5000 };
  const revisions = createRevisionCache(databases, () => clock.ms);
  let reads = 0;
  const read = async (): Promise<string> => `read ${++reads}`;
  return {
    clock,
    reads: () => reads,
    ask: (scope = 'scope', bankId = 1001, tenant = 'sund') => revisions.get(tenant, bankId, scope, read),
    askFailing: () => revisions.get('sund', 1001, 'scope', () => Promise.reject(new Error('storage'))),
    commit: (tenant: string, ...topics: string[]) => {
      for (const listener of listeners) listener(tenant, new Set(topics));
    },
  };
}

test('[account.38] identical scopes share one reading for 30 seconds from its beginning, and not a millisecond longer', async () => {
  const { ask, clock } = opened();
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['read 1', 'read 1', 'read 1']);
  clock.ms += 29_999;
  assert.equal(await ask(), 'read 1');
  clock.ms += 1;
  assert.equal(await ask(), 'read 2');
  clock.ms += 29_999;
  assert.equal(await ask(), 'read 2');
});

test('other scopes, banks and tenants have readings of their own', async () => {
  const { ask } = opened();
  const all = [await ask(), await ask('other'), await ask('scope', 1002), await ask('scope', 1001, 'fjord')];
  assert.deepEqual(all, ['read 1', 'read 2', 'read 3', 'read 4']);
  assert.equal(await ask(), 'read 1');
});

test('[account.53] a commit of this process to the bank’s ledger makes its readings new, and no others', async () => {
  const { ask, commit } = opened();
  await ask();
  await ask('scope', 1002);
  commit('fjord', ledgerTopic(1001));
  commit('sund', ledgerTopic(10_011), 'places/1001');
  assert.equal(await ask(), 'read 1');
  commit('sund', 'something', ledgerTopic(1001));
  assert.equal(await ask(), 'read 3');
  assert.equal(await ask('scope', 1002), 'read 2');
});

test('a reading that was under way when this process committed is not given to who asks afterwards', async () => {
  const { ask, commit } = opened();
  const early = ask();
  commit('sund', ledgerTopic(1001));
  assert.equal(await ask(), 'read 2');
  assert.equal(await early, 'read 1');
  assert.equal(await ask(), 'read 2');
});

test('a reading that fails, fails for all who share it and is not kept', async () => {
  const { ask, askFailing, reads } = opened();
  const failed = await Promise.allSettled([askFailing(), ask()]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(reads(), 0);
  assert.equal(await ask(), 'read 1');
});
