// The floor of package downloads: a bare node:http server that streams one file, with its length, to every request.
// Takes the file; prints {"port"}.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const [file = ''] = process.argv.slice(2);
const { size } = statSync(file);
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': size });
  pipeline(createReadStream(file), response, () => {});
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
