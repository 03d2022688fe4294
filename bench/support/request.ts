// Sends one request to a service on loopback, under any host name.

import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

type BenchRequest = {
  readonly port: number;
  readonly path: string;
  readonly host: string;
  readonly token?: string;
  readonly body?: unknown;
};

/** Returns the body as text. Throws if the status is not 200. */
export async function fetchText(question: BenchRequest): Promise<string> {
  return (await fetchReply(question)).body;
}

export type BenchReply = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Returns head and body. Throws if the status is not 200. */
export function fetchReply({ port, path, host, token, body }: BenchRequest): Promise<BenchReply> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { host, 'content-type': 'application/json', ...authorization };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      if (incoming.statusCode === 200)
        text(incoming).then((received) => resolve({ headers: incoming.headers, body: received }), reject);
      else reject(new Error(`${path} answered ${incoming.statusCode}`));
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export type DownloadTiming = { readonly firstByteMs: number; readonly totalMs: number; readonly bytes: number };

/** Reads an answer as fast as it comes, and discards it. Throws if the status is not 200. */
export function downloadBody({ port, path, host, token }: BenchRequest): Promise<DownloadTiming> {
  const began = performance.now();
  const elapsedMs = (): number => performance.now() - began;
  const headers = { host, ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let bytes = 0;
      let firstByteMs: number | undefined;
      if (incoming.statusCode !== 200) reject(new Error(`${path} answered ${incoming.statusCode}`));
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => {
        firstByteMs ??= elapsedMs();
        bytes += chunk.length;
      });
      incoming.on('end', () => resolve({ firstByteMs: firstByteMs ?? elapsedMs(), totalMs: elapsedMs(), bytes }));
    });
    outgoing.end();
  });
}
