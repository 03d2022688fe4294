// The server of a floor that reads: a bare node:http server, which does the same work for every request and answers its
// result as JSON. Prints {"port"}.

import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service reads SQLite in two threads: a floor whose queries take long has as many processes. */
export const readerProcesses = 2;

/** Each of the processes runs the file of the floor, and all serve one port. */
export function serveFloor(work: () => unknown, processes = 1): void {
  process.on('SIGTERM', () => process.exit(0));
  if (processes > 1 && cluster.isPrimary) {
    startProcesses(processes);
    return;
  }
  const server = createServer((_request, response) => {
    const body = JSON.stringify(work());
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    if (cluster.isPrimary) printPort((server.address() as AddressInfo).port);
  });
}

function startProcesses(processes: number): void {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    listening += 1;
    if (listening === processes) printPort(port);
  });
  for (let at = 0; at < processes; at += 1) cluster.fork();
}

function printPort(port: number): void {
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}
