// Checks which requests share a revision, for how long, and what makes the cache read again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommitListener, Databases } from '../../../database/databases.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { createScope } from '../../../permissions/scope.ts';
import { ledgerTopic } from '../queries/ledger-head.ts';
import type { AccountSelection } from '../rules/account-selection.ts';
import { createRevisionCache } from './revision-cache.ts';

const grants = { tenantWide: true, banks: new Set<number>(), locations: new Map() };

/** Revisions with a clock that the test sets, and reads that are numbered. */
function opened() {
  const listeners: CommitListener[] = [];
  const databases = { onCommit: (listener: CommitListener) => listeners.push(listener) } as unknown as Databases;
  const clock = { ms: 5000 };
  const revisions = createRevisionCache(databases, () => clock.ms);
  let reads = 0;
  const read = async (): Promise<string> => `read ${++reads}`;
  const ask = (timeZone = 'UTC', bankId = 1001, { tenant = 'sund', retentionDays = 0, readRevision = read } = {}) => {
    const scope = createScope(tenant, 'production', grants, retentionDays);
    const selection = { bank: requireCoveredBank(scope, { bankId }), timeZone } as AccountSelection;
    return revisions.get(scope, selection, readRevision);
  };
  return {
    clock,
    reads: () => reads,
    ask,
    askFailing: () => ask('UTC', 1001, { readRevision: () => Promise.reject(new Error('storage')) }),
    commit: (tenant: string, ...topics: string[]) => {
      for (const listener of listeners) listener(tenant, new Set(topics));
    },
  };
}

test('[account.38] identical requests share one read for 30 seconds from its start, and not a millisecond longer', async () => {
  const { ask, clock } = opened();
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['read 1', 'read 1', 'read 1']);
  clock.ms += 29_999;
  assert.equal(await ask(), 'read 1');
  clock.ms += 1;
  assert.equal(await ask(), 'read 2');
  clock.ms += 29_999;
  assert.equal(await ask(), 'read 2');
});

test('requests with different selections, banks, tenants or retentions do not share a read', async () => {
  const { ask } = opened();
  const all = [
    await ask(),
    await ask('Europe/Oslo'),
    await ask('UTC', 1002),
    await ask('UTC', 1001, { tenant: 'fjord' }),
    await ask('UTC', 1001, { retentionDays: 30 }),
  ];
  assert.deepEqual(all, ['read 1', 'read 2', 'read 3', 'read 4', 'read 5']);
  assert.equal(await ask(), 'read 1');
});

test('[account.53] a commit of this process to the bank’s ledger makes the next request read again, for that bank only', async () => {
  const { ask, commit } = opened();
  await ask();
  await ask('UTC', 1002);
  commit('fjord', ledgerTopic(1001));
  commit('sund', ledgerTopic(10_011), 'places/1001');
  assert.equal(await ask(), 'read 1');
  commit('sund', 'something', ledgerTopic(1001));
  assert.equal(await ask(), 'read 3');
  assert.equal(await ask('UTC', 1002), 'read 2');
});

test('a read that started before a commit of this process is not shared with later requests', async () => {
  const { ask, commit } = opened();
  const early = ask();
  commit('sund', ledgerTopic(1001));
  assert.equal(await ask(), 'read 2');
  assert.equal(await early, 'read 1');
  assert.equal(await ask(), 'read 2');
});

test('a read that fails rejects all requests that share it, and is not cached', async () => {
  const { ask, askFailing, reads } = opened();
  const failed = await Promise.allSettled([askFailing(), ask()]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(reads(), 0);
  assert.equal(await ask(), 'read 1');
});
