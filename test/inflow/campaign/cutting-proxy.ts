// A proxy between computers and the service that cuts connections: in the middle of a request, when the answer is ready
// (the lines are committed, and the computer does not know), and in the middle of an answer.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Random } from '../../../demo/random.ts';

type Fault = 'none' | 'in-request' | 'before-answer' | 'in-answer';

export type CuttingProxy = {
  readonly port: number;
  /** How often each fault happened. */
  readonly faults: Readonly<Record<Fault, number>>;
  close(): Promise<void>;
};

type CuttingProxyOptions = {
  readonly random: Random;
  /** The share of connections that are cut. */
  readonly cutShare: number;
  /** The port of a running service. */
  pickTarget(): number;
};

export async function startCuttingProxy({ random, cutShare, pickTarget }: CuttingProxyOptions): Promise<CuttingProxy> {
  const faults: Record<Fault, number> = { none: 0, 'in-request': 0, 'before-answer': 0, 'in-answer': 0 };
  const server: Server = createServer((client) => {
    const fault = random.chance(cutShare) ? random.pick(['in-request', 'before-answer', 'in-answer'] as const) : 'none';
    const service = connect(pickTarget(), '127.0.0.1');
    join(client, service, fault, () => (faults[fault] += 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, service: Socket, fault: Fault, count: () => void): void {
  const end = (): void => {
    client.destroy();
    service.destroy();
  };
  for (const socket of [client, service]) {
    // A computer or a service that was killed: the other side sees a closed connection.
    socket.on('error', end);
    socket.on('close', end);
  }
  if (fault === 'none') count();
  client.on('data', (bytes: Buffer) => {
    if (fault !== 'in-request') {
      service.write(bytes);
      return;
    }
    count();
    service.write(bytes.subarray(0, bytes.length >> 1), end);
  });
  service.on('data', (bytes: Buffer) => {
    if (fault === 'none') {
      client.write(bytes);
      return;
    }
    count();
    if (fault === 'before-answer') end();
    else client.write(bytes.subarray(0, bytes.length >> 1), end);
  });
}
