// A load balancer: it sends requests in turn to the replicas whose readiness check has answered 200 last, over connections
// that it keeps. It sends no request a second time, so that every loss shows.

import { once } from 'node:events';
import { Agent, createServer, get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Balancer = {
  /** By the port of the replica: requests that it has answered. */
  readonly answered: ReadonlyMap<number, number>;
  /** Requests without an answer. */
  readonly lost: readonly string[];
  isReady(port: number): boolean;
  /** Sends a request through it. */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<{ readonly status: number }>;
  stop(): Promise<void>;
};

const checkIntervalMs = 50;

export async function startBalancer(replicas: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const agents = new Map(replicas.map((port) => [port, new Agent({ keepAlive: true, maxSockets: 16 })]));
  const answered = new Map(replicas.map((port) => [port, 0]));
  const lost: string[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const candidates = [...ready];
    const port = candidates[turn++ % candidates.length];
    const fail = (reason: unknown): void => {
      lost.push(`${incoming.method} ${incoming.url} at ${port}: ${String(reason)}`);
      outgoing.writeHead(502).end();
    };
    if (port === undefined) {
      fail('no replica is ready');
      return;
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: agents.get(port) }, (reply) => {
      answered.set(port, (answered.get(port) ?? 0) + 1);
      const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = reply.headers;
      outgoing.writeHead(reply.statusCode ?? 502, rest);
      reply.on('error', fail).pipe(outgoing);
    });
    forwarded.on('error', fail);
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const stopping = new AbortController();
  const check = async (port: number): Promise<void> => {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz?tenants=any`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) ready.add(port);
    else ready.delete(port);
  };
  const checkAgain = async (port: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      await check(port);
      await pause(checkIntervalMs);
    }
  };
  const checking = replicas.map(checkAgain);
  const { port: ownPort } = server.address() as AddressInfo;
  const clients = new Agent({ keepAlive: true });
  return {
    get: (path, headers) =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: ownPort, path, headers, agent: clients }, (reply) => {
          reply.resume().on('end', () => resolve({ status: reply.statusCode ?? 0 }));
        }).on('error', reject);
      }),
    answered,
    lost,
    isReady: (port) => ready.has(port),
    stop: async () => {
      stopping.abort();
      await Promise.all(checking);
      server.close();
      server.closeAllConnections();
      for (const agent of [clients, ...agents.values()]) agent.destroy();
    },
  };
}
