// The order in which locks are taken, whatever the order in which they are declared, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { LockableDb, WriteDb } from './db.ts';
import { createLock, lockOrder, requireLock, takeLateLock, takeLocks, type Lock } from './locks.ts';

const names = lockOrder.map(([name]) => name);

/** The handle of a transaction, and locks that write down what they do. */
function startTransaction() {
  const log: string[] = [];
  const db = { heldLocks: [] as unknown } as LockableDb;
  const lockOf = (name: Lock['name'], ...ids: number[]): Lock<string> =>
    createLock(name, ids, {
      update: async () => void log.push([name, ...ids].join(' ')),
      read: async () => {
        log.push('read');
        return [name, ...ids].join(' ');
      },
    });
  return { db, log, lockOf };
}

const compareText = (one: string, other: string): number => {
  const [[name = '', ...ids], [otherName = '', ...otherIds]] = [one.split(' '), other.split(' ')];
  const rank = (each: string): number => names.findIndex((known) => known === each);
  const difference = [rank(name) - rank(otherName), ...ids.map((id, index) => Number(id) - Number(otherIds[index]))];
  return difference.find((each) => each !== 0) ?? 0;
};

test('locks are taken in the order of the table and of their ids, whatever the order in which they are declared', async () => {
  const declared = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })),
    { selector: (each) => each.join(' '), maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(declared, async (some) => {
      const { db, log, lockOf } = startTransaction();
      const results = await takeLocks(
        db,
        some.map(([name, ...ids]) => lockOf(name, ...ids)),
      );
      const texts = some.map((each) => each.join(' '));
      // Nothing is read before the last lock, and each result stands where its lock was declared.
      assert.deepEqual(log, [...texts.toSorted(compareText), ...texts.map(() => 'read')]);
      assert.deepEqual(results, texts);
    }),
  );
});

test('a lock that comes before one that the transaction has is refused, by the table and by its ids', async () => {
  for (const [index, later] of names.entries())
    for (const earlier of names.slice(0, index)) {
      const { db, log, lockOf } = startTransaction();
      await takeLocks(db, [lockOf(later, 1)]);
      await assert.rejects(takeLocks(db, [lockOf(earlier, 2)]), {
        message: `the lock ${earlier} 2 has to be taken before ${later} 1`,
      });
      assert.deepEqual(log, [`${later} 1`, 'read']);
    }
  const { db, lockOf } = startTransaction();
  await takeLocks(db, [lockOf('unit', 1, 2, 3)]);
  await assert.rejects(takeLocks(db, [lockOf('unit', 1, 2, 2)]), /has to be taken before/);
  await takeLocks(db, [lockOf('unit', 1, 3, 1)]);
});

test('a lock that the transaction has can be taken again', async () => {
  const { db, log, lockOf } = startTransaction();
  await takeLocks(db, [lockOf('outbox', 1), lockOf('ledger', 1)]);
  await takeLocks(db, [lockOf('outbox', 1)]);
  assert.deepEqual(log, ['outbox 1', 'ledger 1', 'read', 'read', 'outbox 1', 'read']);
});

test('what needs a lock that is not declared is refused', async () => {
  const { db, lockOf } = startTransaction();
  await takeLocks(db, [lockOf('outbox', 1)]);
  requireLock(db, lockOf('outbox', 1));
  for (const lock of [lockOf('outbox', 2), lockOf('ledger', 1)])
    assert.throws(() => requireLock(db, lock), /the write has not declared the lock/);
});

test('the work of an operation cannot take a lock that has to be declared', () => {
  const doesNotCompile = (db: WriteDb, lock: Lock<void, 'ledger'>): readonly Promise<unknown>[] => [
    // @ts-expect-error The handle takes no locks.
    takeLocks(db, [lock]),
    // @ts-expect-error The lock is not late.
    takeLateLock(db, lock),
    // @ts-expect-error A lock cannot be made without its steps.
    takeLateLock(db, { name: 'places', ids: [] }),
  ];
  assert.equal(typeof doesNotCompile, 'function');
});
