// Clients that each send one request after the other for some time, reads and writes in turn, and what they got.

import { Agent, request } from 'node:http';

export type LoadTarget = {
  readonly port: number;
  readonly host: string;
  /** What all of them read. */
  readonly reads: readonly string[];
  /** A client has this token, and sends commands there. */
  readonly clients: readonly { readonly token: string; readonly writePath: string }[];
};

export type LoadResult = {
  readonly goodPerSecond: number;
  /** By status, with the code of the problem. */
  readonly answers: ReadonlyMap<string, number>;
  /** Of good answers, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Connections that were refused or cut. */
  readonly broken: number;
};

type LoadOptions = {
  readonly clients: number;
  readonly seconds: number;
  /** Between the requests of a client, in milliseconds. */
  readonly pauseMs?: number;
};

type Answer = { readonly status: number; readonly body: string };

export async function sendLoad(
  target: LoadTarget,
  { clients, seconds, pauseMs = 0 }: LoadOptions,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const answers = new Map<string, number>();
  const latencies: number[] = [];
  let broken = 0;
  const from = performance.now();
  const untilMs = from + seconds * 1000;
  const runClient = async ({ token, writePath }: LoadTarget['clients'][number], at: number): Promise<void> => {
    for (let count = at; performance.now() < untilMs; count += 1) {
      const sentAt = performance.now();
      try {
        const answer =
          count % 4 === 0
            ? await send({ agent, target, token }, 'POST', writePath, { name: 'Restart' })
            : await send({ agent, target, token }, 'GET', target.reads[count % target.reads.length] ?? '/');
        const name = nameOf(answer);
        answers.set(name, (answers.get(name) ?? 0) + 1);
        if (answer.status < 300) latencies.push(performance.now() - sentAt);
      } catch {
        broken += 1;
      }
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(target.clients.slice(0, clients).map((client, at) => runClient(client, at)));
  const elapsedSeconds = (performance.now() - from) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const percentile = (share: number): number => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0);
  return {
    goodPerSecond: Math.round(latencies.length / elapsedSeconds),
    answers,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    broken,
  };
}

type Sender = { readonly agent: Agent; readonly target: LoadTarget; readonly token: string };

function nameOf({ status, body }: Answer): string {
  if (status < 400) return String(status);
  try {
    return `${status} ${String((JSON.parse(body) as { readonly code?: unknown }).code)}`;
  } catch {
    return `${status} without a problem`;
  }
}

function send(
  { agent, target: { port, host }, token }: Sender,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: {
        host,
        authorization: `Bearer ${token}`,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: text }));
    });
    outgoing.end(payload);
  });
}
