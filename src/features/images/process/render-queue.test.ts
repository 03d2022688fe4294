// Checks how many images are rendered at the same time: in total, large ones, and large ones of one client.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderQueue } from './render-queue.ts';

/** Images that are rendered until `end`. */
function createRenders(maxWaitMs?: number) {
  const queue = new RenderQueue(maxWaitMs);
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const add = (clientAddress: string, isHeavy: boolean): Promise<void> =>
    queue.render({ clientAddress, isHeavy }, () => {
      begun.push(clientAddress);
      return promise;
    });
  return { begun, end, add };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

test('[images.33] 16 images are rendered at once, and nothing in a first burst is refused', async () => {
  const { begun, end, add } = createRenders();
  const renders = times(24, () => add('a', false));
  assert.equal(begun.length, 16);
  end();
  await Promise.all(renders);
  assert.equal(begun.length, 24);
});

test('4 large images are rendered at once, 2 of one client, and small ones at the same time', async () => {
  const { begun, end, add } = createRenders();
  const renders = [...times(4, () => add('a', true)), ...times(3, () => add('b', true)), add('c', true)];
  assert.deepEqual(begun, ['a', 'a', 'b', 'b']);
  renders.push(...times(12, () => add('d', false)));
  assert.equal(begun.length, 16);
  end();
  await Promise.all(renders);
});

test('a request that waits too long or finds a full queue is refused', async () => {
  const { begun, end, add } = createRenders(20);
  const renders = times(16, () => add('a', false));
  const refused = await Promise.allSettled(times(60, () => add('a', false)));
  assert.ok(refused.every((each) => each.status === 'rejected' && each.reason.code === 'too-many-renders'));
  assert.equal(begun.length, 16);
  end();
  await Promise.all(renders);
});
