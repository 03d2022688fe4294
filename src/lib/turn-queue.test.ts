// Turns in a queue: groups by turns, within them their subgroups, and at last the order in which items were added.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnQueue } from './turn-queue.ts';

/** The items `tenant/manager/number` in the order in which they come out. */
function orderOf(items: readonly string[]): string[] {
  const queue = new TurnQueue<string>();
  for (const item of items) queue.add(item, item.split('/').slice(0, -1));
  const order: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) order.push(next);
  assert.ok(queue.isEmpty);
  return order;
}

test('tenants take turns, and within a tenant its managers do', () => {
  const table: [items: string[], order: string[]][] = [
    [[], []],
    [
      ['a/1/x', 'a/1/y', 'a/1/z'],
      ['a/1/x', 'a/1/y', 'a/1/z'],
    ],
    [
      ['a/1/x', 'a/1/y', 'a/1/z', 'b/1/x', 'c/1/x', 'b/1/y'],
      ['a/1/x', 'b/1/x', 'c/1/x', 'a/1/y', 'b/1/y', 'a/1/z'],
    ],
    [
      ['a/1/x', 'a/1/y', 'a/2/x', 'b/1/x', 'b/1/y', 'b/1/z'],
      ['a/1/x', 'b/1/x', 'a/2/x', 'b/1/y', 'a/1/y', 'b/1/z'],
    ],
  ];
  for (const [items, order] of table) assert.deepEqual(orderOf(items), order);
});

test('without groups the items come in the order in which they were added', () => {
  assert.deepEqual(orderOf(['x', 'y', 'z']), ['x', 'y', 'z']);
});

test('a group that had a turn and was empty comes after those that wait', () => {
  const queue = new TurnQueue<string>();
  for (const item of ['a1', 'b1', 'b2', 'c1']) queue.add(item, [item.charAt(0)]);
  assert.equal(queue.shift(), 'a1');
  queue.add('a2', ['a']);
  assert.deepEqual([queue.shift(), queue.shift(), queue.shift(), queue.shift()], ['b1', 'c1', 'a2', 'b2']);
});

type Step = { readonly path: readonly string[]; readonly action: 'add' | 'delete' | 'shift' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    path: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
    action: fc.constantFrom('add', 'add', 'add', 'delete', 'shift'),
  }),
  { maxLength: 60 },
);

test('whatever is added, removed and taken, nothing is lost, and no group waits for two turns of another', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new TurnQueue<{ readonly path: readonly string[] }>();
      const waiting = new Set<{ readonly path: readonly string[] }>();
      /** How often each tenant had a turn since the other has been waiting. */
      const overtaken = new Map<string, Map<string, number>>();
      const isWaiting = (tenant: string): boolean => [...waiting].some(({ path }) => path[0] === tenant);
      for (const { path, action } of all) {
        const [tenant = ''] = path;
        if (action === 'add') {
          const item = { path };
          if (!isWaiting(tenant)) overtaken.set(tenant, new Map());
          waiting.add(item);
          queue.add(item, path);
        } else if (action === 'delete') {
          const [item] = [...waiting].filter((each) => each.path.join() === path.join());
          if (item === undefined) continue;
          waiting.delete(item);
          queue.delete(item, path);
        } else {
          const item = queue.shift();
          assert.equal(item === undefined, waiting.size === 0);
          if (item === undefined) continue;
          assert.ok(waiting.delete(item));
          const [served = ''] = item.path;
          overtaken.set(served, new Map());
          for (const [other, counts] of overtaken) {
            if (other === served || !isWaiting(other)) continue;
            counts.set(served, (counts.get(served) ?? 0) + 1);
            assert.ok((counts.get(served) ?? 0) <= 1, `${served} had two turns while ${other} waited`);
          }
        }
        assert.equal(queue.isEmpty, waiting.size === 0);
      }
    }),
    { numRuns: 500 },
  );
});
