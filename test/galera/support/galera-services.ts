// Starts services on nodes of a Galera cluster.

import { startService, type TestService } from '../../support/service.ts';
import { formatMysqlUrl } from '../../support/mysql-url.ts';
import type { GaleraCluster, GaleraNode } from './galera-cluster.ts';

/** A service on each of two nodes. */
export async function startReplicas({ nodes }: GaleraCluster): Promise<[TestService, TestService]> {
  const start = (at: number): Promise<TestService> => {
    const storageUrl = formatStorageUrl([nodes[at] ?? throwMissingNode()]);
    return startService('mariadb', { storage: { storageUrl, release: async () => {} } });
  };
  return [await start(0), await start(1)];
}

/** `PORTAL_STORAGE` of nodes in the order of their ranks. */
export function formatStorageUrl(nodes: readonly GaleraNode[]): string {
  const [first, ...others] = nodes.map(({ location }) => location);
  if (first === undefined) throw new Error('there is no node');
  return formatMysqlUrl({ ...first, nodes: [first.nodes[0], ...others.map((each) => each.nodes[0])] });
}

function throwMissingNode(): never {
  throw new Error('the cluster has fewer nodes');
}
