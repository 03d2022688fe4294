// Asks a node of a Galera cluster whether it can be used: it is part of the primary component, synced and ready, and it has
// applied what any other node has committed. Each node has one connection for this.

import { createConnection, type Connection } from 'mysql2';
import type { MysqlNode } from '../../storage-address.ts';
import { withTimeout } from '../../with-timeout.ts';
import { mysqlPoolOptions, type MysqlCredentials } from './pool-options.ts';
import type { ProbeNode } from './node-choice.ts';

/** Above the time that an overloaded node takes, below that after which the cluster leaves out a silent one. */
const probeTimeoutMs = 2000;

// https://galeracluster.com/library/documentation/galera-status-variables.html
const required: Readonly<Record<string, string>> = {
  wsrep_cluster_status: 'Primary',
  wsrep_ready: 'ON',
  wsrep_local_state_comment: 'Synced',
};
/** ER_UNKNOWN_COM_ERROR: what a node answers that is not prepared for application use. */
const notPrepared = 1047;

type StatusRow = { readonly Variable_name: string; readonly Value: string };

type NodeProbe = { readonly probe: ProbeNode; close(): void };

export function createNodeProbe(credentials: MysqlCredentials): NodeProbe {
  const connections = new Map<MysqlNode, Connection>();
  const drop = (node: MysqlNode): void => {
    connections.get(node)?.destroy();
    connections.delete(node);
  };
  const connect = (node: MysqlNode): Connection =>
    createConnection(mysqlPoolOptions({ ...node, ...credentials })).on('error', () => drop(node));
  const ask: ProbeNode = async (node, isCurrent) => {
    const connection = connections.getOrInsertComputed(node, connect);
    const names = Object.keys(required).map((name) => `'${name}'`);
    const rows = await query(connection, `show global status where variable_name in (${names.join(', ')})`);
    const status = new Map((rows as StatusRow[]).map(({ Variable_name, Value }) => [Variable_name, Value]));
    const wrong = Object.entries(required).find(([name, value]) => status.get(name) !== value);
    if (wrong !== undefined) {
      const [name] = wrong;
      const found = status.get(name) ?? 'missing';
      throw Object.assign(new Error(`${node.host}:${node.port}: ${name} is ${found}`), { errno: notPrepared });
    }
    if (!isCurrent) {
      // Waits until what was committed elsewhere is applied here.
      await query(connection, 'set session wsrep_sync_wait = 1');
      await query(connection, 'select 1');
    }
    const [readOnly] = (await query(connection, "show global variables like 'read_only'")) as StatusRow[];
    return readOnly?.Value === 'OFF' ? 'writing' : 'reading';
  };
  return {
    probe: async (node, isCurrent) => {
      try {
        return await withTimeout(probeTimeoutMs, 'unavailable', ask(node, isCurrent));
      } catch (error) {
        drop(node);
        throw error;
      }
    },
    close: () => {
      for (const node of connections.keys()) drop(node);
    },
  };
}

const query = (connection: Connection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error, result) => (error ? reject(error) : resolve(result)));
  });
