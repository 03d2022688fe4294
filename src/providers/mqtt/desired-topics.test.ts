// Each thing that a computer has to know has a topic of its own, whatever its name is.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRetainedMessage } from './desired-topics.ts';

const now = Date.parse('2026-06-15T12:00:00Z');
const topicOf = (change: Parameters<typeof toRetainedMessage>[0]) => toRetainedMessage(change, now)?.topic;

test('each kind is named by what it is about', () => {
  const unit = 'sund-B1001-L1-U2';
  const topics = [
    { kind: 'setting', unit, name: 'MaxTemperature', value: 60 },
    { kind: 'key', key: 'Card:04A2' },
    { kind: 'hours', unit },
    { kind: 'booking', bookingKid: 'sund-B1001-E9' },
    { kind: 'posting', posting: 'sund-B1001-X7' },
    { kind: 'command', id: 'C55' },
    { kind: 'address', kid: unit },
  ].map(topicOf);
  assert.deepEqual(topics, [
    `desired/setting/${unit}/MaxTemperature`,
    'desired/key/Card%3A04A2',
    `desired/hours/${unit}`,
    'desired/booking/sund-B1001-E9',
    'desired/posting/sund-B1001-X7',
    'desired/command/C55',
    `desired/address/${unit}`,
  ]);
});

test('a value is passed on as it is, and what was removed empties its topic', () => {
  const change = { kind: 'key', key: '04A2', residentKid: 'sund-B1001-R1042', later: [1] };
  assert.deepEqual(JSON.parse(toRetainedMessage(change, now)?.payload ?? ''), change);
  assert.equal(toRetainedMessage({ ...change, removed: true }, now)?.payload, '');
});

test('a command is kept until it expires, and is not published after that', () => {
  const command = { kind: 'command', id: 'C1', expiresAt: '2026-06-15T12:00:01.5Z' };
  assert.equal(toRetainedMessage(command, now)?.expirySeconds, 2);
  const late = toRetainedMessage(command, now + 1500);
  assert.deepEqual([late?.payload, late?.expirySeconds], ['', undefined]);
});

test('a kind that the bridge does not know has no topic', () => {
  assert.equal(topicOf({ kind: 'later', id: '1' }), undefined);
  assert.equal(topicOf({ kind: 'constructor', id: '1' }), undefined);
  assert.equal(topicOf({ kind: 'key' }), undefined);
});

test('two things never share a topic, and no name reaches outside of its part of the topic', () => {
  const anyName = fc.string({ unit: fc.constantFrom('/', '+', '#', '%', 'a', 'é', ' ', '.', '$') });
  fc.assert(
    fc.property(anyName, anyName, anyName, anyName, (unit, name, otherUnit, otherName) => {
      const one = topicOf({ kind: 'setting', unit, name });
      const other = topicOf({ kind: 'setting', unit: otherUnit, name: otherName });
      assert.equal(one === other, unit === otherUnit && name === otherName);
      assert.match(one ?? '', /^desired\/setting\/[^/+#]*\/[^/+#]*$/);
    }),
  );
});
