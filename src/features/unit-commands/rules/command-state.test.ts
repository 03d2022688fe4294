// The state of a command, by what is stored of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandStateAt, type StoredCommand } from './command-state.ts';

const now = 1000;
const stateOf = (change: Partial<StoredCommand>) =>
  commandStateAt({ expires_at: 2000, finished_at: null, succeeded: null, sync_state: 'queued', ...change }, now);

test('a command is queued until it stands in an answer, and sent until there is a result', () => {
  assert.equal(stateOf({}), 'queued');
  for (const sync_state of ['sent', 'acknowledged', null]) assert.equal(stateOf({ sync_state }), 'sent');
});

test('a command expires at its time, unless there is a result, however late it was', () => {
  assert.equal(stateOf({ expires_at: now + 1 }), 'queued');
  assert.equal(stateOf({ expires_at: now, sync_state: 'sent' }), 'expired');
  assert.equal(stateOf({ expires_at: now, sync_state: 'expired' }), 'expired');
  assert.equal(stateOf({ expires_at: 1, finished_at: 900, succeeded: 1, sync_state: 'expired' }), 'done');
  assert.equal(stateOf({ expires_at: 1, finished_at: 900, succeeded: 0 }), 'failed');
});

test('a device that refuses the command fails it', () => {
  assert.equal(stateOf({ sync_state: 'failed' }), 'failed');
});
