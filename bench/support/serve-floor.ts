// The server of a floor that reads: a bare node:http server, which does the same work for every request and answers its
// result as JSON. Prints {"port"}.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The work may be asynchronous. */
export function serveFloor(work: () => unknown): void {
  const server = createServer((_request, response) => {
    void Promise.resolve(work()).then((result) => {
      const body = JSON.stringify(result);
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
