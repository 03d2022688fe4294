// Which records for devices can be sent again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectKinds, syncStates } from '../../outbox/rules/sync-state.ts';
import { isRetryable } from './retry.ts';

test('only what a device has refused can be sent again', () => {
  for (const state of syncStates)
    assert.equal(isRetryable({ state, subject_kind: 'resident', setting_name: null }), state === 'failed', state);
});

test('a value that was replaced cannot be sent again, and neither can a command', () => {
  for (const subject_kind of subjectKinds)
    for (const setting_name of [null, 'MaxTemperature'])
      assert.equal(
        isRetryable({ state: 'failed', subject_kind, setting_name }),
        subject_kind !== 'command' && (subject_kind !== 'setting' || setting_name !== null),
        subject_kind,
      );
});
