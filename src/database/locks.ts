// Declares the locks that write transactions take, and their order.

import type { HeldLock, LockableDb, WriteDb } from './db.ts';

/**
 * The order of the locks. A write declares its locks, and takes the declared locks before the write reads anything. The
 * work of a write can take only locks that are `late`. All writers take their locks in this order, so no two writers
 * can wait for each other.
 */
export const lockOrder = [
  // The audit log of what belongs to no bank. Login and logout have no other lock, and append at once.
  ['tenant-audit', 'late'],
  // What the managers may do, and who of them is active.
  ['manager-rights', 'declared'],
  // One service, or all of them.
  ['services', 'declared'],
  // The profile and the password of a manager.
  ['profile', 'declared'],
  ['installer', 'declared'],
  // The ids of imports, and one import, which is planned, applied or undone by one process at a time.
  ['import-ids', 'declared'],
  ['import', 'declared'],
  // The computers of a bank: their ids, their names and the units that they have.
  ['computers', 'declared'],
  // The code, the keys and the revocation of a computer.
  ['computer', 'declared'],
  // A stream of a computer.
  ['stream', 'declared'],
  // A held line, which is resolved once.
  ['held-line', 'declared'],
  // The outbox, the bookings and the ledger of a bank.
  ['outbox', 'declared'],
  ['bookings', 'declared'],
  ['ledger', 'declared'],
  // What a computer last said of itself, and how far it has come.
  ['computer-state', 'declared'],
  // What others show of the residents of a bank.
  ['residents', 'declared'],
  // The ids of the residents of a bank.
  ['resident-ids', 'declared'],
  // What the equipment of a unit has sent.
  ['unit-samples', 'declared'],
  // The settings of a unit.
  ['unit', 'declared'],
  // The ids of all series of samples. Which series are new is known only after a read.
  ['series-ids', 'late'],
  // The ids of the held lines of a bank. Which lines are held is known only after a read.
  ['held-line-ids', 'late'],
  // What lists show of the locations and units of a bank.
  ['places', 'late'],
  // The audit log of a bank: its writes append last.
  ['bank-audit', 'late'],
] as const satisfies (readonly [name: string, when: 'declared' | 'late'])[];

type LockRow = (typeof lockOrder)[number];
type LockName = LockRow[0];
type LateLockName = Extract<LockRow, readonly [string, 'late']>[0];

const ranks = new Map<string, number>(lockOrder.map(([name], rank) => [name, rank]));

const steps = Symbol('steps');

type LockSteps<R> = {
  /** Updates the lock row, in a statement that is sent before anything is awaited. */
  update(db: WriteDb): Promise<unknown>;
  /** Runs after the updates of all locks that are taken together. */
  read?(db: WriteDb): Promise<R>;
};

/**
 * A lock to be taken. Only `takeLocks` and `takeLateLock` can take a lock. A lock is the update of a row that all
 * writers of the same things update first. So these writers run one after another, also on different nodes.
 */
export type Lock<R = unknown, N extends LockName = LockName> = HeldLock & {
  readonly name: N;
  readonly [steps]: LockSteps<R>;
};

/** The ids tell the rows of one name apart, such as those of two banks. There are none where there is one row. */
export const createLock = <N extends LockName, R = void>(
  name: N,
  ids: readonly number[],
  lockSteps: LockSteps<R>,
): Lock<R, N> => ({ name, ids, [steps]: lockSteps });

export type LockResults<L extends readonly Lock[]> = {
  readonly [K in keyof L]: L[K] extends Lock<infer R> ? R : never;
};

/**
 * Takes locks in the order of the table, and several of one name in the order of their ids. Returns what they read, in
 * the order in which they are given. A lock that the transaction has is taken again. Throws where the transaction has
 * one that comes later.
 */
export async function takeLocks<const L extends readonly Lock[]>(db: LockableDb, locks: L): Promise<LockResults<L>> {
  const ordered = locks.toSorted(compareLocks);
  for (const lock of ordered) hold(db, lock);
  // Sent together; the engine runs them in this order. Nothing is read before the last lock: the read could be out of date
  // when the transaction gets the lock, and would roll it back.
  const updates = ordered.map((lock) => lock[steps].update(db));
  const reads = locks.map(async (lock) => lock[steps].read?.(db));
  const [results] = await Promise.all([Promise.all(reads), Promise.all(updates)]);
  return results as unknown as LockResults<L>;
}

/** Takes a lock that only the work of a write finds to be needed. */
export async function takeLateLock<R>(db: WriteDb, lock: Lock<R, LateLockName>): Promise<R> {
  const [result] = await takeLocks(db as LockableDb, [lock]);
  return result;
}

/** Throws where the write has not declared the lock. */
export function requireLock(db: WriteDb, lock: Lock): void {
  if (!isHeld(db, lock)) throw new Error(`the write has not declared the lock ${formatLock(lock)}`);
}

function hold(db: WriteDb, { name, ids }: Lock): void {
  const lock: HeldLock = { name, ids };
  if (isHeld(db, lock)) return;
  const last = db.heldLocks.at(-1);
  if (last !== undefined && compareLocks(last, lock) > 0)
    throw new Error(`the lock ${formatLock(lock)} has to be taken before ${formatLock(last)}`);
  db.heldLocks.push(lock);
}

const isHeld = (db: WriteDb, lock: HeldLock): boolean => db.heldLocks.some((held) => compareLocks(held, lock) === 0);

function compareLocks(one: HeldLock, other: HeldLock): number {
  const byName = (ranks.get(one.name) ?? 0) - (ranks.get(other.name) ?? 0);
  if (byName !== 0) return byName;
  const index = one.ids.findIndex((id, place) => id !== other.ids[place]);
  return index === -1 ? one.ids.length - other.ids.length : (one.ids[index] ?? 0) - (other.ids[index] ?? 0);
}

const formatLock = ({ name, ids }: HeldLock): string => [name, ...ids].join(' ');
