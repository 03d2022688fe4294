// A provider on loopback that answers on demand properly or with any fault of real providers.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export type FakeProvider = {
  readonly url: string;
  /** Paths with queries, in the order in which they came. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** The answers to the next requests, in order; the last one repeats. */
  answerWith(...answers: Answer[]): void;
  stop(): Promise<void>;
};

export async function startFakeProvider(): Promise<FakeProvider> {
  let waiting: Answer[] = [];
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    headers.push(request.headers);
    const [answer] = waiting;
    if (waiting.length > 1) waiting = waiting.slice(1);
    (answer ?? status(500))(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    headers,
    answerWith: (...answers) => {
      waiting = answers;
      requests.length = 0;
      headers.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const text =
  (body: string | Buffer, code = 200, contentType = 'application/json'): Answer =>
  (_request, response) =>
    void response.writeHead(code, { 'content-type': contentType }).end(body);

export const json = (body: unknown, code = 200): Answer => text(JSON.stringify(body), code);

export const status = (code: number): Answer => json({ error: { code } }, code);

export const html: Answer = text('<!doctype html><title>Sorry</title>', 200, 'text/html');

export const redirectTo =
  (location: string, code = 302): Answer =>
  (_request, response) =>
    void response.writeHead(code, { location }).end();

/** Never answers. */
export const hang: Answer = () => {};

/** Sends a byte at a time, for longer than any timeout. */
export const drip: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** Promises more than it sends. */
export const cutBody: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('[', () => response.destroy());
};

export const closeAtOnce: Answer = (request) => void request.socket.destroy();

/** Well-formed, and far larger than any answer. */
export const tooLarge: Answer = json([' '.repeat(2 * 1024 * 1024)]);

export const brokenUtf8: Answer = text(Buffer.from([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d]));
