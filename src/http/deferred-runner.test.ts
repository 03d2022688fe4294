import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDeferredRunner } from './deferred-runner.ts';

test('work runs in the turn in which it was put off, each in its order, and what takes long comes last', async () => {
  const { run, runLast } = createDeferredRunner();
  for (const round of [1, 2]) {
    const order: string[] = [];
    runLast(() => order.push('image 1'));
    run(() => order.push('read 1'));
    runLast(() => order.push('image 2'));
    run(() => order.push('read 2'));
    assert.deepEqual(order, []);
    await nextTurn();
    assert.deepEqual(order, ['read 1', 'read 2', 'image 1', 'image 2'], `round ${round}`);
  }
});

test('work that is put off by other work waits for the next turn', async () => {
  const { run, runLast } = createDeferredRunner();
  const order: string[] = [];
  runLast(() => {
    order.push('image');
    run(() => order.push('read'));
  });
  await nextTurn();
  assert.deepEqual(order, ['image']);
  await nextTurn();
  assert.deepEqual(order, ['image', 'read']);
});
