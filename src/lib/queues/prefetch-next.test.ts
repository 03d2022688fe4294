// Items that are made while the one before them is used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefetchNext } from './prefetch-next.ts';

/** Numbers from 1, and what was done with them. */
function createSource({ last, failsAt }: { readonly last: number; readonly failsAt?: number }) {
  const events: string[] = [];
  async function* make(): AsyncGenerator<number> {
    try {
      for (let item = 1; item <= last; item += 1) {
        events.push(`make ${item}`);
        if (item === failsAt) throw new Error('storage is gone');
        yield item;
      }
    } finally {
      events.push('closed');
    }
  }
  return { events, items: prefetchNext(make()) };
}

test('each item is there once, in its order, and the next one is begun before it is used', async () => {
  const { events, items } = createSource({ last: 3 });
  for await (const item of items) events.push(`use ${item}`);
  assert.deepEqual(events, ['make 1', 'make 2', 'use 1', 'make 3', 'use 2', 'closed', 'use 3']);
  assert.deepEqual(await Array.fromAsync(createSource({ last: 0 }).items), []);
});

test('an error is thrown after the items before it', async () => {
  const { events, items } = createSource({ last: 3, failsAt: 3 });
  const use = async (): Promise<void> => {
    for await (const item of items) events.push(`use ${item}`);
  };
  await assert.rejects(use(), /storage is gone/);
  assert.deepEqual(events.slice(-2), ['closed', 'use 2']);
});

test('a consumer that stops closes the source, whether the next item can be made or not', async () => {
  for (const failsAt of [undefined, 2]) {
    const { events, items } = createSource({ last: 3, ...(failsAt === undefined ? {} : { failsAt }) });
    for await (const item of items) if (item === 1) break;
    assert.deepEqual(events, ['make 1', 'make 2', 'closed']);
  }
});
