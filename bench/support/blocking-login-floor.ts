// A floor of reads during logins: a server that hashes on its event loop for a POST, and answers anything else at once.

import { argon2Sync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const nonce = randomBytes(16);
const body = Buffer.from(JSON.stringify({ status: 'ok' }));

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST') argon2Sync('argon2id', { message: 'violet teapots sing', nonce, ...parameters });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
