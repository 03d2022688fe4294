// A TCP proxy before a MariaDB server that keeps what each client has sent, to see whether it is encrypted.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Recorder = {
  readonly port: number;
  /** What each connection has sent so far. */
  readonly sent: readonly Buffer[];
  close(): Promise<void>;
};

export async function startRecorder(targetPort: number): Promise<Recorder> {
  const sent: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const at = sent.push(Buffer.alloc(0)) - 1;
    const upstream = connect(targetPort, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (data: Buffer) => (sent[at] = Buffer.concat([sent[at] ?? data.subarray(0, 0), data])));
    client.pipe(upstream);
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The packet that asks for TLS has no login: https://mariadb.com/kb/en/connection/#sslrequest-packet */
const sslRequestBytes = 4 + 32;
/** The first two bytes of a TLS record of the handshake. */
const handshakeRecord = Buffer.from([22, 3]);

/** Whether nothing was sent before the TLS handshake but the wish for it. */
export const isEncrypted = (sent: Buffer): boolean =>
  sent.subarray(sslRequestBytes, sslRequestBytes + 2).equals(handshakeRecord);
