// Lets requests wait until the outbox of their bank has something new, without a connection to the database. A commit of
// this process wakes them at once; what other processes have written is found once a second, by one query for each tenant
// that has somebody waiting.

import type { Databases } from '../../../database/databases.ts';
import { bankIdOfOutboxTopic } from '../../outbox/queries/outbox.ts';
import { readHeads } from '../queries/computer-progress.ts';

export type DesiredWaiters = {
  /** Resolves when the outbox of the bank is beyond the version, when the signal aborts, or when the service stops. */
  wait(bank: WaitedBank, version: number, signal: AbortSignal): Promise<void>;
  /** The service stops: nobody waits any longer. */
  readonly isClosed: boolean;
  close(): void;
};

type WaitedBank = { readonly tenant: string; readonly bankId: number };

type Waiter = { readonly version: number; readonly wake: () => void };

const pollIntervalMs = 1000;
const pollDeadlineMs = 5000;

/** `pollOpened` is called when a request begins to wait, and what it returns when it ends. */
export function createDesiredWaiters(databases: Databases, pollOpened: () => () => void): DesiredWaiters {
  /** tenant -> bank -> who waits. */
  const waiting = new Map<string, Map<number, Set<Waiter>>>();
  const closing = new AbortController();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  databases.onCommit((tenant, topics) => {
    const ofTenant = waiting.get(tenant);
    if (ofTenant === undefined) return;
    for (const topic of topics) {
      const bankId = bankIdOfOutboxTopic(topic);
      for (const waiter of (bankId === undefined ? undefined : ofTenant.get(bankId)) ?? []) waiter.wake();
    }
  });

  const pollTenant = async (tenant: string, ofTenant: ReadonlyMap<number, ReadonlySet<Waiter>>): Promise<void> => {
    const heads = await databases
      .forTenant(tenant)
      .read({ deadlineMs: pollDeadlineMs, isSingleStatement: true }, (db) => readHeads(db, [...ofTenant.keys()]));
    for (const [bankId, head] of heads)
      for (const waiter of ofTenant.get(bankId) ?? []) if (head > waiter.version) waiter.wake();
  };
  const poll = async (): Promise<void> => {
    // Storage that fails wakes nobody: a request that waits reads by itself when its time is over, and answers for it.
    await Promise.allSettled([...waiting].map(([tenant, ofTenant]) => pollTenant(tenant, ofTenant)));
    timer = count === 0 ? undefined : setTimeout(startPoll, pollIntervalMs);
  };
  const startPoll = (): void => void poll();

  const add = ({ tenant, bankId }: WaitedBank, waiter: Waiter): (() => void) => {
    const ofTenant = waiting.get(tenant) ?? new Map<number, Set<Waiter>>();
    waiting.set(tenant, ofTenant);
    const ofBank = ofTenant.get(bankId) ?? new Set();
    ofTenant.set(bankId, ofBank.add(waiter));
    count += 1;
    timer ??= setTimeout(startPoll, pollIntervalMs);
    return () => {
      count -= 1;
      ofBank.delete(waiter);
      if (ofBank.size === 0) ofTenant.delete(bankId);
      if (ofTenant.size === 0) waiting.delete(tenant);
    };
  };
  return {
    wait: async (bank, version, signal) => {
      if (signal.aborted || closing.signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const remove = add(bank, { version, wake: resolve });
      const pollEnded = pollOpened();
      signal.addEventListener('abort', () => resolve(), { once: true });
      closing.signal.addEventListener('abort', () => resolve(), { once: true, signal });
      await promise;
      remove();
      pollEnded();
    },
    get isClosed() {
      return closing.signal.aborted;
    },
    close: () => {
      clearTimeout(timer);
      closing.abort();
    },
  };
}
