// What an administrator sets up: three nodes of MariaDB Galera, two replicas of the service, and HAProxy with the
// configuration of the documentation, all on loopback. It ends with its parent.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabases, type Databases } from '../../../src/database/databases.ts';
import { parseStorage } from '../../../src/setting-parsers.ts';
import { startCluster, type GaleraCluster } from '../../galera/support/galera-cluster.ts';
import { formatStorageUrl } from '../../galera/support/galera-services.ts';
import { waitUntil } from '../../support/async.ts';
import { startServeProcess, type ServeProcess } from '../../support/portal-process.ts';
import {
  findFreePorts,
  findProgram,
  hasEnded,
  killProgram,
  startWatchdog,
  type Watchdog,
} from '../../support/programs.ts';
import { createSender, type SendRequest } from './send-request.ts';

export type Replica = {
  kill(): Promise<void>;
  /** As an administrator stops it: it serves for a while, and ends by itself. */
  terminate(): Promise<void>;
  /** Starts it again, and waits until it is ready. */
  start(): Promise<void>;
};

export type Deployment = {
  readonly cluster: GaleraCluster;
  readonly replicas: readonly Replica[];
  readonly databases: Databases;
  /** The port of the balancer. */
  readonly port: number;
  readonly send: SendRequest;
  /** Of the service, for its commands. */
  readonly settings: Readonly<Record<string, string>>;
  killBalancer(): Promise<void>;
  startBalancer(): Promise<void>;
  /** The name of the node that is written to. */
  findNodeOfWrites(): Promise<string>;
  stop(): Promise<void>;
};

export const clusterTenant = 'sund';
/** A busy machine makes everything slow; what hangs is found all the same. */
export const patienceMs = 240_000;

/** A busy machine delays the checks of the balancer. */
const stopDelaySeconds = 10;
const replicaCount = 2;
const exampleFile = join(import.meta.dirname, '../../../docs/examples/haproxy.cfg');
const examplePort = ':443 ssl crt /etc/haproxy/portal.pem alpn h2,http/1.1';
const exampleReplicas = ['10.0.0.11:8080', '10.0.0.12:8080'];

export async function startDeployment(): Promise<Deployment> {
  const cluster = await startCluster({ flushLogAtCommit: 1 });
  const folder = mkdtempSync(join(tmpdir(), 'portal-deployment-'));
  const watchdog = startWatchdog(folder);
  const storageUrl = formatStorageUrl(cluster.nodes);
  const databases = openDatabases(parseStorage(storageUrl));
  const firstPort = await findFreePorts(1 + 2 * replicaCount);
  const settings = createSettings(folder, storageUrl);
  const replicas = Array.from({ length: replicaCount }, (_, at) =>
    createReplica(settings, { port: firstPort + 1 + 2 * at, metricsPort: firstPort + 2 + 2 * at }),
  );
  const balancer = createBalancer({
    folder,
    watchdog,
    port: firstPort,
    replicaPorts: replicas.map(({ port }) => port),
  });
  const stop = async (): Promise<void> => {
    await Promise.all([balancer.kill(), ...replicas.map((each) => each.kill())]);
    await databases.close();
    await cluster.stop();
    await watchdog.end();
  };
  try {
    await databases.migrate(clusterTenant);
    await Promise.all(replicas.map((each) => each.start()));
    await balancer.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    cluster,
    replicas,
    databases,
    port: firstPort,
    send: createSender(firstPort),
    settings,
    killBalancer: balancer.kill,
    startBalancer: balancer.start,
    findNodeOfWrites: () =>
      databases.forTenant(clusterTenant).write({ deadlineMs: 8000 }, async (db) => {
        const { rows } = await sql<{ name: string }>`select @@wsrep_node_name as name`.execute(db);
        return rows[0]?.name ?? '';
      }),
    stop,
  };
}

function createSettings(folder: string, storageUrl: string): Record<string, string> {
  const tenants = join(folder, 'tenants.json');
  const sund = {
    name: clusterTenant,
    displayName: 'Sund',
    country: 'DK',
    currency: 'DKK',
    timeZone: 'Europe/Copenhagen',
  };
  writeFileSync(tenants, JSON.stringify([sund]));
  return {
    PORTAL_STORAGE: storageUrl,
    PORTAL_TENANTS: tenants,
    PORTAL_RATE_LIMIT: 'off',
    PORTAL_TRUSTED_PROXIES: '127.0.0.1',
    PORTAL_STOP_DELAY: String(stopDelaySeconds),
    PORTAL_LOG_LEVEL: 'error',
  };
}

type ReplicaPorts = { readonly port: number; readonly metricsPort: number };

function createReplica(
  settings: Readonly<Record<string, string>>,
  { port, metricsPort }: ReplicaPorts,
): Replica & ReplicaPorts {
  let running: ServeProcess | undefined;
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  };
  return {
    port,
    metricsPort,
    kill: async () => {
      await running?.kill();
      running = undefined;
    },
    terminate: async () => {
      running?.signal('SIGTERM');
      assert.deepEqual(await running?.ended, { code: 0, signal: null });
      running = undefined;
    },
    start: async () => {
      running = await startServeProcess({
        ...settings,
        PORTAL_PORT: String(port),
        PORTAL_METRICS_PORT: String(metricsPort),
      });
      await waitUntil('a replica is ready', isReady, patienceMs);
    },
  };
}

type BalancerInput = {
  readonly folder: string;
  readonly watchdog: Watchdog;
  readonly port: number;
  readonly replicaPorts: readonly number[];
};

function createBalancer({ folder, watchdog, port, replicaPorts }: BalancerInput) {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, formatConfig(port, replicaPorts));
  let running: ChildProcess | undefined;
  const answers = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
    return answer?.status === 200;
  };
  return {
    kill: async () => {
      if (running !== undefined) await killProgram(running);
      running = undefined;
    },
    start: async () => {
      running = spawn(findProgram('haproxy') ?? '', ['-db', '-q', '-f', file], {
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      });
      await once(running, 'spawn');
      running.unref();
      watchdog.watch(running);
      const daemon = running;
      await waitUntil(
        'the balancer answers',
        async () => {
          assert.ok(!hasEnded(daemon), 'the balancer has ended');
          return answers();
        },
        patienceMs,
      );
    },
  };
}

/** The example of the documentation, with the ports of this machine. */
function formatConfig(port: number, replicaPorts: readonly number[]): string {
  const replace = (text: string, from: string, to: string): string => {
    assert.ok(text.includes(from), `${exampleFile} has no ${from}`);
    return text.replaceAll(from, to);
  };
  const example = replace(readFileSync(exampleFile, 'utf8'), `bind ${examplePort}`, `bind 127.0.0.1:${port}`);
  return exampleReplicas.reduce(
    (text, replica, at) => replace(text, replica, `127.0.0.1:${replicaPorts[at]}`),
    example,
  );
}
