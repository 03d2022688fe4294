// Bounds the open connections, of one client address and in all. Where there would be too many, the longest idle is closed
// for the new one; where none is idle, the new one is refused.

import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { ConnectionLimits } from '../../setting-parsers.ts';
import { rateLimitKeyOfAddress } from '../context/client-address.ts';
import type { TrustedProxies } from '../context/trusted-proxies.ts';
import type { HttpMetrics } from './metrics.ts';

const connectionProperty = Symbol('connection');

type ServedSocket = Socket & { [connectionProperty]?: Connection };

class Connection {
  /** Over TLS the one with the plain bytes, once the handshake is over. */
  socket: ServedSocket;
  readonly address: string;
  /** Of a trusted proxy: it carries many clients. */
  readonly isTrusted: boolean;
  #runningRequests = 0;
  #idleSinceMs = performance.now();

  constructor(socket: ServedSocket, isTrusted: boolean) {
    this.socket = socket;
    this.address = rateLimitKeyOfAddress(socket.remoteAddress ?? '');
    this.isTrusted = isTrusted;
  }

  get isIdle(): boolean {
    return this.#runningRequests === 0 && this.socket.writableLength === 0;
  }

  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  beginRequest(): void {
    this.#runningRequests += 1;
  }

  endRequest(): void {
    this.#runningRequests -= 1;
    this.#idleSinceMs = performance.now();
  }
}

/** The connection of a request; undefined where it did not come in through a bounded server. */
export const connectionOf = ({ socket }: IncomingMessage): Connection | undefined =>
  (socket as ServedSocket)[connectionProperty];

type ConnectionDependencies = {
  readonly limits: ConnectionLimits;
  readonly trustedProxies: TrustedProxies | undefined;
  readonly metrics: HttpMetrics;
};

export function boundConnections(server: Server, { limits, trustedProxies, metrics }: ConnectionDependencies): void {
  const connections = new Set<Connection>();
  const connectionsByAddress = new Map<string, Set<Connection>>();
  const forget = (connection: Connection): void => {
    if (!connections.delete(connection)) return;
    metrics.connectionClosed();
    const ofAddress = connectionsByAddress.get(connection.address);
    ofAddress?.delete(connection);
    if (ofAddress?.size === 0) connectionsByAddress.delete(connection.address);
  };
  const close = (connection: Connection): void => {
    metrics.connectionEvicted();
    // At once: its `close` comes later.
    forget(connection);
    connection.socket.destroy();
  };
  const closeLongestIdle = (candidates: Iterable<Connection>, count: number): boolean => {
    const longestIdle = listIdle(candidates).slice(0, count);
    for (const each of longestIdle) close(each);
    return longestIdle.length > 0;
  };
  /** Makes room for a connection where there is none. */
  const hasRoom = ({ address, isTrusted }: Connection): boolean => {
    const ofAddress = connectionsByAddress.get(address);
    if (!isTrusted && ofAddress !== undefined && ofAddress.size >= limits.perAddress)
      if (!closeLongestIdle(ofAddress, 1)) return false;
    // Many at once, since finding them takes a look at all.
    return connections.size < limits.total || closeLongestIdle(connections, Math.ceil(limits.total / 100));
  };

  server.on('connection', (socket: ServedSocket) => {
    const connection = new Connection(socket, trustedProxies?.has(socket.remoteAddress ?? '') ?? false);
    if (!hasRoom(connection)) {
      metrics.connectionRefused();
      socket.destroy();
      return;
    }
    socket[connectionProperty] = connection;
    connections.add(connection);
    metrics.connectionOpened(socket);
    const ofAddress = connectionsByAddress.get(connection.address);
    if (ofAddress === undefined) connectionsByAddress.set(connection.address, new Set([connection]));
    else ofAddress.add(connection);
    socket.once('close', () => forget(connection));
  });
  linkSecureSockets(server, connectionsByAddress);
}

/** The longest idle first, but those of trusted proxies last. */
const listIdle = (connections: Iterable<Connection>): Connection[] =>
  [...connections]
    .filter(({ isIdle }) => isIdle)
    .toSorted((a, b) => Number(a.isTrusted) - Number(b.isTrusted) || a.idleSinceMs - b.idleSinceMs);

/** Over TLS requests come in on a socket of their own, that has the peer of the one underneath. */
function linkSecureSockets(server: Server, connectionsByAddress: ReadonlyMap<string, ReadonlySet<Connection>>): void {
  server.on('secureConnection', (secureSocket: ServedSocket) => {
    const { remoteAddress = '', remotePort } = secureSocket;
    for (const connection of connectionsByAddress.get(rateLimitKeyOfAddress(remoteAddress)) ?? []) {
      const { socket } = connection;
      if (socket.remotePort !== remotePort || socket.remoteAddress !== remoteAddress) continue;
      secureSocket[connectionProperty] = connection;
      connection.socket = secureSocket;
      return;
    }
  });
}
