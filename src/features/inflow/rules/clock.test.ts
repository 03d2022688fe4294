// Checks the lag of lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { measureLags } from './clock.ts';

const sentAt = 800_000_000_000;
const lineAt = (at: unknown) => ({ n: 1, text: '', fields: { at } });

test('the lag of a line is the time until it was sent, by the same clock, and never negative', () => {
  const lines = [lineAt(formatUtc(sentAt - 1500)), lineAt(formatUtc(sentAt)), lineAt(formatUtc(sentAt + 9000))];
  assert.deepEqual(measureLags({ sentAt }, lines), [1.5, 0, 0]);
});

test('lines without a valid time have none, and so have all where it is not known when they were sent', () => {
  const lines = [lineAt('yesterday'), lineAt(undefined), { n: 2, text: '[]', fields: undefined }];
  assert.deepEqual(measureLags({ sentAt }, lines), []);
  assert.deepEqual(measureLags({ sentAt: undefined }, [lineAt(formatUtc(sentAt))]), []);
});
