// Rounds of faults in a cluster: a load runs, something fails, and afterwards all that was acknowledged is stored once, and
// every verification is clean.

import assert from 'node:assert/strict';
import type { GaleraNode, StateTransfer } from '../galera/support/galera-cluster.ts';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { waitUntil } from '../support/async.ts';
import { requireCleanVerification } from '../support/clean-verification.ts';
import { patienceMs, startDeployment, type Deployment } from './support/deployment.ts';
import { startLoad, type Load } from './support/load.ts';

export type ClusterRounds = {
  /** The short form has only some of them. */
  readonly short: readonly Round[];
  readonly all: readonly Round[];
  /** Ends what the rounds have shared. */
  stop(): Promise<void>;
};

/** The cluster leaves out a silent node after three seconds (evs.suspect_timeout), and the service finds the next one. */
const maxUnavailableMs = 3000 + 2000;
/** A busy machine makes everything slower, but not by so much. */
const busyFactor = 3;

type Fault = {
  readonly name: string;
  /** How often in the short form and in the long one. */
  readonly times: readonly [short: number, long: number];
  /** Breaks something, and repairs it when writes go on. */
  inject(deployment: Deployment, load: Load, at: number): Promise<void>;
  /** Whether writes cannot go on before it is repaired. */
  readonly needsRepair?: boolean;
  /** Whether every request must be answered with success. */
  readonly losesNoRequest?: boolean;
};

const needs = ['mariadbd', 'mariadb-install-db', 'libgalera', 'rsync', 'socat', 'haproxy'] as const;

/** They share a deployment, which is started for the first of them, and again after one that has failed. */
export function createClusterRounds(): ClusterRounds {
  let shared: Promise<Deployment> | undefined;
  let loads = 0;
  const stop = async (): Promise<void> => {
    const deployment = await shared?.catch(() => undefined);
    shared = undefined;
    await deployment?.stop();
  };
  const toRound = (
    name: string,
    run: (deployment: Deployment, load: number, options: RoundOptions) => Promise<RoundFigures>,
  ): Round => ({
    name,
    needs,
    run: async (options) => {
      try {
        return await run(await (shared ??= startDeployment()), (loads += 1), options);
      } catch (error) {
        await stop();
        throw error;
      }
    },
  });
  const rounds = faults.map((fault) => ({
    fault,
    round: toRound(fault.name, (deployment, load, options) => runFault(fault, deployment, load, options)),
  }));
  // It loses data, so nothing can use the deployment after it.
  const control = toRound(
    'control: nodes that do not flush, all killed at once',
    async (deployment, load, { seed }) => {
      const figures = await runControl(deployment, load, seed);
      await stop();
      return figures;
    },
  );
  return {
    short: [...rounds.filter(({ fault }) => fault.times[0] > 0).map(({ round }) => round), control],
    all: [...rounds.map(({ round }) => round), control],
    stop,
  };
}

const nodeOf = ({ cluster }: Deployment, at: 0 | 1 | 2): GaleraNode =>
  cluster.nodes[at] ?? assert.fail('there is no such node');

async function waitForNodeOfWrites(deployment: Deployment, name: string): Promise<void> {
  const isWritten = async (): Promise<boolean> => (await deployment.findNodeOfWrites().catch(() => '')) === name;
  await waitUntil(`${name} is written to`, isWritten, patienceMs);
}

async function rejoin(node: GaleraNode, transfer: StateTransfer, withoutData = false): Promise<void> {
  assert.equal(await node.restart({ withoutData }), transfer);
}

const faults: readonly Fault[] = [
  {
    name: 'kill -9 of the node that is written to',
    times: [2, 6],
    inject: async (deployment, load) => {
      await nodeOf(deployment, 0).kill();
      await load.waitForProgress();
      await rejoin(nodeOf(deployment, 0), 'IST');
      await waitForNodeOfWrites(deployment, 'n0');
    },
  },
  {
    name: 'kill -9 of a node that is not written to, which rejoins by IST',
    times: [0, 4],
    inject: async (deployment, load) => {
      await nodeOf(deployment, 2).kill();
      await load.waitForProgress();
      await rejoin(nodeOf(deployment, 2), 'IST');
    },
  },
  {
    name: 'a node without its data rejoins by SST',
    times: [0, 2],
    inject: async (deployment, load, at) => {
      const node = nodeOf(deployment, at % 2 === 0 ? 0 : 2);
      await node.kill();
      await load.waitForProgress();
      await rejoin(node, 'SST', true);
      await waitForNodeOfWrites(deployment, 'n0');
    },
  },
  {
    name: 'the node that is written to is cut off from the others',
    times: [0, 3],
    inject: async (deployment, load) => {
      await nodeOf(deployment, 0).isolate(true);
      await waitForNodeOfWrites(deployment, 'n1');
      await load.waitForProgress();
      await nodeOf(deployment, 0).isolate(false);
      await waitForNodeOfWrites(deployment, 'n0');
    },
  },
  {
    name: 'kill -9 of two nodes',
    times: [0, 3],
    needsRepair: true,
    inject: async (deployment) => {
      const lost = [nodeOf(deployment, 1), nodeOf(deployment, 2)];
      await Promise.all(lost.map((node) => node.kill()));
      await Promise.all(lost.map((node) => node.restart()));
    },
  },
  {
    name: 'kill -9 of a replica of the service',
    times: [0, 4],
    inject: async ({ replicas }, load, at) => {
      await replicas[at % replicas.length]?.kill();
      await load.waitForProgress();
      await replicas[at % replicas.length]?.start();
    },
  },
  {
    name: 'SIGTERM of each replica in turn, as in an update',
    times: [1, 3],
    losesNoRequest: true,
    inject: async ({ replicas }, load) => {
      for (const replica of replicas) {
        await replica.terminate();
        await load.waitForProgress();
        await replica.start();
        await load.waitForProgress();
      }
    },
  },
  {
    name: 'kill -9 of everything at once',
    times: [1, 4],
    needsRepair: true,
    inject: async ({ cluster, replicas, killBalancer, startBalancer }) => {
      await Promise.all([...cluster.nodes, ...replicas].map((each) => each.kill()).concat(killBalancer()));
      await Promise.all(cluster.nodes.map((node) => node.restart()));
      await Promise.all(replicas.map((replica) => replica.start()));
      await startBalancer();
    },
  },
];

async function runFault(
  { times, inject, needsRepair = false, losesNoRequest = false }: Fault,
  deployment: Deployment,
  number: number,
  { isLong, seed }: RoundOptions,
): Promise<RoundFigures> {
  const load = await startLoad(deployment, number, seed);
  const pausesMs: number[] = [];
  const count = Math.max(1, times[isLong ? 1 : 0]);
  try {
    await load.waitForProgress();
    for (let at = 0; at < count; at += 1) {
      const fromMs = performance.now();
      await inject(deployment, load, at);
      await load.waitForProgress();
      pausesMs.push(load.longestPauseMs(fromMs));
    }
    await load.finish();
    await load.requireTrue();
  } catch (error) {
    console.error(formatAnswers(load.log.statuses).join(', '));
    await load.abandon();
    throw error;
  }
  await requireCleanVerification(deployment.settings);
  const { log } = load;
  const answers = formatAnswers(log.statuses);
  const computerAnswers = load.countComputerAnswers();
  if (losesNoRequest) {
    assert.deepEqual(
      log.failures.filter((failure) => !isOfStorage.test(failure)),
      [],
    );
    assert.equal(computerAnswers.get('no answer') ?? 0, 0, 'requests of computers without an answer');
  }
  const maxPauseMs = Math.max(...pausesMs);
  if (!needsRepair)
    assert.ok(maxPauseMs <= maxUnavailableMs * busyFactor, `writes were unavailable for ${Math.round(maxPauseMs)} ms`);
  return {
    faults: count,
    'acknowledged writes': log.doneAtMs.length,
    'lost or doubled': 0,
    reads: log.reads,
    'outcomes unknown at first': `${log.unknown}, of which ${log.late} were stored after a read`,
    answers: answers.join(', '),
    'answers to computers': formatAnswers(computerAnswers).join(', '),
    [needsRepair ? 'no write until the repair, ms' : `no write (at most ${maxUnavailableMs} is promised), ms`]:
      `p50 ${Math.round(medianOf(pausesMs))}, max ${Math.round(maxPauseMs)}`,
  };
}

/** A busy machine makes a database miss its deadlines, whatever stops. */
const isOfStorage = /: 503 \{"type":"urn:problem-type:storage-/;

const controlTries = 5;

/** The same load and the same count must see what such nodes lose. */
async function runControl(deployment: Deployment, number: number, seed: string): Promise<RoundFigures> {
  const { cluster, replicas } = deployment;
  for (let attempt = 1; ; attempt += 1) {
    const load = await startLoad(deployment, number + attempt * 100, seed);
    for (const node of cluster.nodes) await node.run('set global innodb_flush_log_at_trx_commit = 0');
    await load.waitForProgress();
    await Promise.all([...cluster.nodes, ...replicas].map((each) => each.kill()));
    await load.abandon();
    await Promise.all(cluster.nodes.map((node) => node.restart()));
    const lost = await load.countLost();
    if (lost > 0) return { 'acknowledged writes': load.log.doneAtMs.length, lost };
    assert.ok(attempt < controlTries, 'nothing was lost: the count is blind');
    await Promise.all(replicas.map((replica) => replica.start()));
  }
}

const formatAnswers = (statuses: ReadonlyMap<string, number>): string[] =>
  [...statuses].toSorted(([, a], [, b]) => b - a).map(([status, count]) => `${status}: ${count}`);

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
