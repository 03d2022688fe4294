// Chooses the node of a Galera cluster that transactions go to: the first node by rank that can be used.

import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../errors.ts';
import type { MysqlNode } from '../../storage-address.ts';
import { classifyTlsError } from './tls-errors.ts';
import type { Diagnosis } from '../../checks/diagnosis.ts';
import { diagnoseMysqlError, mysqlTimeoutDiagnosis } from './diagnose.ts';

export type NodeChoice = {
  /** For the next transaction. Waits while there is none; throws StorageError `unavailable` after some seconds. */
  choose(): Promise<MysqlNode>;
  /** Something failed at this node: the next transaction waits until the nodes were looked at. */
  doubt(node: MysqlNode): void;
  /** Calls `onLeft` once, when another node than this one is chosen. Returns what ends the watch. */
  watch(node: MysqlNode, onLeft: () => void): () => void;
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
/** ER_ACCESS_DENIED_ERROR, ER_ACCESS_DENIED_NO_PASSWORD_ERROR. */
const wrongLogin: ReadonlySet<unknown> = new Set([1045, 1698]);

/** The server refuses the login, or the service the server: another second changes nothing. */
function isFinal(error: unknown): boolean {
  const ofTls = classifyTlsError(error);
  return ofTls === undefined ? wrongLogin.has((error as { errno?: unknown }).errno) : ofTls !== 'no-handshake';
}

/** The only node is always the one. */
export const createSingleChoice = (node: MysqlNode): NodeChoice => ({
  choose: () => Promise.resolve(node),
  doubt: () => {},
  watch: () => () => {},
  hasOthers: false,
  close: () => {},
});

/**
 * The nodes are in the order of their ranks. All processes of a deployment have the same ranks, so that all processes
 * write to one node. The next transaction leaves a node that failed, or that a better node can replace. Transactions
 * that have begun end on the node where they began.
 */
export function createNodeChoice(nodes: readonly MysqlNode[], probe: ProbeNode): NodeChoice {
  let current: MysqlNode | undefined;
  const watches = new Watches();
  const use = (node: MysqlNode | undefined): void => {
    current = node;
    watches.tell(node);
  };
  let doubted: MysqlNode | undefined;
  let doubts = 0;
  const closing = new AbortController();
  let lastFailure: unknown;
  /** Every node answers, and cannot be logged in to. */
  let isRefused = false;
  let looking: Promise<void> | undefined;
  let confirming: Promise<void> | undefined;
  const findBest = async (candidates: readonly MysqlNode[], used: MysqlNode | undefined) => {
    const { found, failures } = await findBestNode(candidates, (node) => probe(node, node === used));
    [lastFailure] = failures;
    isRefused = failures.length === nodes.length && failures.every(isFinal);
    return found;
  };
  const look = async (): Promise<void> => {
    const [used, doubtsBefore] = [current, doubts];
    // Those behind a node that works are of no interest.
    const before = used === undefined ? nodes : nodes.slice(0, nodes.indexOf(used) + 1);
    const found = await findBest(before, used);
    const best = found?.use === 'reading' && before !== nodes ? await findBest(nodes, used) : found;
    // What was doubted meanwhile is looked at again.
    if (doubts === doubtsBefore && used === current) use(best?.node);
  };
  /** Most doubts are about one transaction: a node that works goes on at once, whatever the others are like. */
  const confirm = async (node: MysqlNode): Promise<void> => {
    const doubtsBefore = doubts;
    const found = await probe(node, true).catch(() => undefined);
    if (doubts === doubtsBefore && current === undefined && found === 'writing') use(node);
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
      if (isRefused) break;
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
    watch: (node, onLeft) => watches.add({ node, onLeft }, current),
    hasOthers: true,
    close: () => {
      closing.abort();
      clearInterval(timer);
    },
  };
}

type Watch = { readonly node: MysqlNode; readonly onLeft: () => void };

/** Who wants to know that another node than theirs is chosen. */
class Watches {
  readonly #all = new Set<Watch>();

  add(watch: Watch, chosen: MysqlNode | undefined): () => void {
    // The node may have been left since it was chosen.
    if (chosen !== undefined && chosen !== watch.node) watch.onLeft();
    else this.#all.add(watch);
    return () => void this.#all.delete(watch);
  }

  /** While no node is chosen, the one before may be chosen again. */
  tell(chosen: MysqlNode | undefined): void {
    if (chosen === undefined) return;
    for (const watch of this.#all)
      if (watch.node !== chosen) {
        this.#all.delete(watch);
        watch.onLeft();
      }
  }
}

type FoundNode = { readonly node: MysqlNode; readonly use: NodeUse };

/** The first one that can be written to, or else be read, and why those before it cannot. None is waited for behind it. */
async function findBestNode(
  candidates: readonly MysqlNode[],
  probe: (node: MysqlNode) => Promise<NodeUse>,
): Promise<{ readonly found: FoundNode | undefined; readonly failures: readonly unknown[] }> {
  const probes = candidates.map((node) => ({ node, use: probe(node) }));
  for (const { use } of probes) use.catch(() => {});
  let readable: FoundNode | undefined;
  const failures: unknown[] = [];
  for (const { node, use } of probes)
    try {
      const found = { node, use: await use };
      if (found.use === 'writing') return { found, failures };
      readable ??= found;
    } catch (error) {
      failures.push(error);
    }
  return { found: readable, failures };
}

/** The node is `host:port`; without a diagnosis it can be used again. */
export type NodeListener = (node: string, failed?: Diagnosis) => void;

/**
 * Returns the probe with a listener, which is called for each node whose state or reason is another one than before: when
 * it cannot be used any more, why, and when it can be used again.
 */
export function reportChanges(probe: ProbeNode, onChange: NodeListener): ProbeNode {
  const problems = new Map<string, string>();
  const report = (node: string, failed?: Diagnosis): void => {
    if (problems.get(node) === failed?.problem) return;
    if (failed === undefined) problems.delete(node);
    else problems.set(node, failed.problem);
    onChange(node, failed);
  };
  return async (node, isCurrent) => {
    const name = `${node.host}:${node.port}`;
    try {
      const use = await probe(node, isCurrent);
      report(name);
      return use;
    } catch (error) {
      // The probe gives up waiting with an error that has no cause of the server.
      report(name, diagnoseMysqlError(error) ?? mysqlTimeoutDiagnosis);
      throw error;
    }
  };
}
