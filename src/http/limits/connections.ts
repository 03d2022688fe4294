// Bounds the open connections of each client address and in total. At the bound, a new connection replaces the one that
// has been idle for longest; if none is idle, the new one is refused.

import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { ConnectionLimits } from '../../setting-parsers.ts';
import { rateLimitKeyOfAddress } from '../context/client-address.ts';
import type { TrustedProxies } from '../context/trusted-proxies.ts';
import type { HttpMetrics } from '../monitoring/metrics.ts';

const connectionProperty = Symbol('connection');

type ServedSocket = Socket & { [connectionProperty]?: ClientConnection };

class ClientConnection {
  /** Over TLS this is the decrypted socket, once the handshake is over. */
  socket: ServedSocket;
  readonly address: string;
  /** The connection of a trusted proxy, which carries many clients. */
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

/** The connection of a request; undefined if it did not arrive through a bounded server. */
export const connectionOf = ({ socket }: IncomingMessage): ClientConnection | undefined =>
  (socket as ServedSocket)[connectionProperty];

type ConnectionDependencies = {
  readonly limits: ConnectionLimits;
  readonly trustedProxies: TrustedProxies | undefined;
  readonly metrics: HttpMetrics;
};

export function boundConnections(server: Server, { limits, trustedProxies, metrics }: ConnectionDependencies): void {
  const connections = new Set<ClientConnection>();
  const connectionsByAddress = new Map<string, Set<ClientConnection>>();
  const forget = (connection: ClientConnection): void => {
    if (!connections.delete(connection)) return;
    metrics.connectionClosed();
    const ofAddress = connectionsByAddress.get(connection.address);
    ofAddress?.delete(connection);
    if (ofAddress?.size === 0) connectionsByAddress.delete(connection.address);
  };
  const close = (connection: ClientConnection): void => {
    metrics.connectionEvicted();
    // The connection no longer counts from now on: its `close` event comes later.
    forget(connection);
    connection.socket.destroy();
  };
  const closeLongestIdle = (candidates: Iterable<ClientConnection>, count: number): boolean => {
    const longestIdle = listIdle(candidates).slice(0, count);
    for (const each of longestIdle) close(each);
    return longestIdle.length > 0;
  };
  /** Whether there is room for a connection; closes idle ones if there is not. */
  const hasRoom = ({ address, isTrusted }: ClientConnection): boolean => {
    const ofAddress = connectionsByAddress.get(address);
    if (!isTrusted && ofAddress !== undefined && ofAddress.size >= limits.perAddress)
      if (!closeLongestIdle(ofAddress, 1)) return false;
    // Closes many at once, since finding them scans all connections.
    return connections.size < limits.total || closeLongestIdle(connections, Math.ceil(limits.total / 100));
  };

  server.on('connection', (socket: ServedSocket) => {
    const connection = new ClientConnection(socket, trustedProxies?.has(socket.remoteAddress ?? '') ?? false);
    if (!hasRoom(connection)) {
      metrics.connectionRefused();
      socket.destroy();
      return;
    }
    socket[connectionProperty] = connection;
    connections.add(connection);
    metrics.connectionOpened(socket);
    connectionsByAddress.getOrInsertComputed(connection.address, () => new Set()).add(connection);
    socket.once('close', () => forget(connection));
  });
  linkSecureSockets(server, connectionsByAddress);
}

/** Those idle for longest first, but those of trusted proxies last. */
const listIdle = (connections: Iterable<ClientConnection>): ClientConnection[] =>
  [...connections]
    .filter(({ isIdle }) => isIdle)
    .toSorted((a, b) => Number(a.isTrusted) - Number(b.isTrusted) || a.idleSinceMs - b.idleSinceMs);

/** Over TLS, requests arrive on a socket of their own that has the same peer as the underlying one. */
function linkSecureSockets(
  server: Server,
  connectionsByAddress: ReadonlyMap<string, ReadonlySet<ClientConnection>>,
): void {
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
