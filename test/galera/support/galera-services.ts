// Starts services on nodes of a Galera cluster.

import { startService, type TestService } from '../../support/service.ts';
import type { GaleraCluster } from './galera-cluster.ts';

/** A service on each of two nodes. */
export async function startReplicas({ nodes }: GaleraCluster): Promise<[TestService, TestService]> {
  const start = (at: number): Promise<TestService> => {
    const { user, password, host, port, prefix } = nodes[at]?.location ?? throwMissingNode();
    const storageUrl = `mysql://${user}:${password}@${host}:${port}/${prefix}`;
    return startService('mariadb', { storage: { storageUrl, release: async () => {} } });
  };
  return [await start(0), await start(1)];
}

function throwMissingNode(): never {
  throw new Error('the cluster has fewer nodes');
}
