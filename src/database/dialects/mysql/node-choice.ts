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
export type ProbeNode = (node: MysqlNode, isCurrent: boolean) => Promise<NodeUse>;
/** A node for reading alone is used only while there is no other. */
type NodeUse = 'writing' | 'reading';

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
  let doubted: MysqlNode | undefined;
  let doubts = 0;
  const closing = new AbortController();
  let lastFailure: unknown;
  let looking: Promise<void> | undefined;
  let confirming: Promise<void> | undefined;
  /** The first one that can be written to, or else be read. None is waited for behind it. */
  const findBest = async (candidates: readonly MysqlNode[], used: MysqlNode | undefined) => {
    const probes = candidates.map((node) => ({ node, use: probe(node, node === used) }));
    for (const { use } of probes) use.catch(() => {});
    let readable: { readonly node: MysqlNode; readonly use: NodeUse } | undefined;
    lastFailure = undefined;
    for (const { node, use } of probes)
      try {
        const found = { node, use: await use };
        if (found.use === 'writing') return found;
        readable ??= found;
      } catch (error) {
        lastFailure ??= error;
      }
    return readable;
  };
  const look = async (): Promise<void> => {
    const [used, doubtsBefore] = [current, doubts];
    // Those behind a node that works are of no interest.
    const before = used === undefined ? nodes : nodes.slice(0, nodes.indexOf(used) + 1);
    const found = await findBest(before, used);
    const best = found?.use === 'reading' && before !== nodes ? await findBest(nodes, used) : found;
    // What was doubted meanwhile is looked at again.
    if (doubts === doubtsBefore && used === current) current = best?.node;
  };
  /** Most doubts are about one transaction: a node that works goes on at once, whatever the others are like. */
  const confirm = async (node: MysqlNode): Promise<void> => {
    const doubtsBefore = doubts;
    const use = await probe(node, true).catch(() => undefined);
    if (doubts === doubtsBefore && current === undefined && use === 'writing') current = node;
  };
  const lookOnce = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)));
  const timer = setInterval(() => void lookOnce(), lookIntervalMs).unref();
  const search = async (): Promise<MysqlNode> => {
    const until = performance.now() + maxWaitMs;
    while (!closing.signal.aborted && performance.now() < until) {
      if (doubted !== undefined) {
        const node = doubted;
        doubted = undefined;
        confirming = confirm(node).finally(() => (confirming = undefined));
      }
      await (confirming ?? lookOnce());
      if (current !== undefined) return current;
      await pause(searchIntervalMs);
    }
    throw new StorageError('unavailable', lastFailure);
  };
  return {
    choose: () => (current === undefined ? search() : Promise.resolve(current)),
    doubt: (node) => {
      if (node !== current) return;
      [current, doubted] = [undefined, node];
      doubts += 1;
    },
    hasOthers: true,
    close: () => {
      closing.abort();
      clearInterval(timer);
    },
  };
}
