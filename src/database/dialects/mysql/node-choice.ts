// Chooses the node of a Galera cluster that transactions go to: the first one by rank that can be used. All processes of a
// deployment have the same ranks, so that they write to one node. A node that failed, or that a better one can replace, is
// left by the next transaction; those under way end where they are.

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../errors.ts';
import type { MysqlNode } from '../../storage-address.ts';

export type NodeChoice = {
  /** For the next transaction. Waits while there is none; throws StorageError `unavailable` after some seconds. */
  choose(): Promise<MysqlNode>;
  /** Something failed at this node: the next transaction waits until the nodes were looked at. */
  doubt(node: MysqlNode): void;
  readonly hasOthers: boolean;
  close(): void;
};

/** Throws why a node cannot be used now. With `isCurrent`, it is used already. */
export type ProbeNode = (node: MysqlNode, isCurrent: boolean) => Promise<void>;

const lookIntervalMs = 1000;
/** While there is no node. */
const searchIntervalMs = 100;
const maxWaitMs = 15_000;

/** The only node is always the one. */
export const createSingleChoice = (node: MysqlNode): NodeChoice => ({
  choose: () => Promise.resolve(node),
  doubt: () => {},
  hasOthers: false,
  close: () => {},
});

/** The nodes are in the order of their ranks. */
export function createNodeChoice(nodes: readonly MysqlNode[], probe: ProbeNode): NodeChoice {
  let current: MysqlNode | undefined;
  const closing = new AbortController();
  let lastFailure: unknown;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const used = current;
    // Those behind a node that works are of no interest.
    const candidates = used === undefined ? nodes : nodes.slice(0, nodes.indexOf(used) + 1);
    const results = await Promise.allSettled(candidates.map((node) => probe(node, node === used)));
    const best = candidates[results.findIndex(({ status }) => status === 'fulfilled')];
    lastFailure = results.find((result) => result.status === 'rejected')?.reason;
    // What was doubted meanwhile is looked at again.
    if (used === current) current = best;
  };
  const lookOnce = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)));
  const timer = setInterval(() => void lookOnce(), lookIntervalMs).unref();
  const search = async (): Promise<MysqlNode> => {
    const until = performance.now() + maxWaitMs;
    while (!closing.signal.aborted && performance.now() < until) {
      await lookOnce();
      if (current !== undefined) return current;
      await pause(searchIntervalMs);
    }
    throw new StorageError('unavailable', lastFailure);
  };
  return {
    choose: () => (current === undefined ? search() : Promise.resolve(current)),
    doubt: (node) => {
      if (node === current) current = undefined;
    },
    hasOthers: true,
    close: () => {
      closing.abort();
      clearInterval(timer);
    },
  };
}
