// A provider of hosting on loopback: it answers by path, with real shapes or faults, and can send WebSocket messages.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { status, type Answer } from '../../support/fake-provider.ts';

export type HostingRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type FakeHosting = {
  readonly port: number;
  readonly url: string;
  /** The requests in the order of their arrival, including upgrades. */
  readonly requests: HostingRequest[];
  /** Answers by the end of the request's path; a function is called each time. */
  readonly answers: Map<string, Answer>;
  /** What the next WebSocket does once it is open. */
  onSocket: (socket: Duplex) => void;
  /** How often a path was requested. */
  count(path: string): number;
  reset(): void;
  stop(): Promise<void>;
};

export async function startFakeHosting(): Promise<FakeHosting> {
  const requests: HostingRequest[] = [];
  const answers = new Map<string, Answer>();
  const sockets = new Set<Duplex>();
  const note = (request: IncomingMessage, body: string): URL => {
    const url = new URL(request.url ?? '', 'http://fake');
    requests.push({ method: request.method ?? '', url, headers: request.headers, body });
    return url;
  };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { pathname } = note(request, body);
      const found = [...answers].find(([path]) => pathname.endsWith(path));
      (found?.[1] ?? status(404))(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeHosting = {
    port,
    url: `http://127.0.0.1:${port}/`,
    requests,
    answers,
    onSocket: (socket) => void socket.end(closeFrame),
    count: (path) => requests.filter(({ url }) => url.pathname.endsWith(path)).length,
    reset: () => {
      requests.length = 0;
      answers.clear();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    note(request, '');
    sockets.add(socket);
    socket.on('error', () => {}); // The reader can be gone.
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    fake.onSocket(socket);
  });
  return fake;
}

/** A text frame of a server, of any size. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload]);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(0x817f);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

export const closeFrame = Buffer.from([0x88, 0x02, 0x03, 0xe8]);

/** A message as App Platform sends its lines. */
export const dataFrame = (text: string): Buffer => textFrame(JSON.stringify({ data: text }));

/** An answer of Prometheus. */
export const matrixOf = (...result: { metric: object; values: (readonly [number, string])[] }[]): object => ({
  status: 'success',
  data: { resultType: 'matrix', result },
});
