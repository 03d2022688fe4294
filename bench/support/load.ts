// A cheap load client: raw sockets, one request at a time on each, bodies skipped by Content-Length. Run as a process
// of its own: `load.ts PORT PATH HOST TOKEN CONNECTIONS SECONDS METHOD REQUESTS ACCEPT-ENCODING BODIES`; the last three
// can be empty (the bodies are a JSON array: each connection sends one of them). Prints one line of JSON. In the path,
// `{new}` is a colour that was not requested before, `{count:N}` counts from N, and `{among:M-N}` cycles from M to N.

import { connect, type Socket } from 'node:net';

const [
  port = '',
  path = '/',
  host = 'localhost',
  token = '',
  connections = '32',
  seconds = '3',
  method = 'GET',
  maxRequests = '',
  acceptEncoding = '',
  bodies = '',
] = process.argv.slice(2);
let left = maxRequests === '' ? Infinity : Number(maxRequests);

const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
const accepted = acceptEncoding === '' ? '' : `Accept-Encoding: ${acceptEncoding}\r\n`;
const [before = '', kind, start, end, after] = path.split(/\{(new|count|among)(?::(\d+)(?:-(\d+))?)?\}/);
const rest = ` HTTP/1.1\r\nHost: ${host}\r\n${authorization}${accepted}Accept: */*\r\n\r\n`;
const same = Buffer.from(`${method} ${path}${rest}`);
const withBodies = (JSON.parse(bodies || '[]') as unknown[]).map((each) => {
  const body = JSON.stringify(each);
  const fields = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path}${rest.slice(0, -2)}${fields}\r\n${body}`);
});
let next = kind === 'new' ? Date.now() % 0x1000000 : Number(start);

function nextRequest(connection: number): Buffer | string {
  if (kind === undefined) return withBodies[connection % withBodies.length] ?? same;
  const word = kind === 'new' ? (next % 0x1000000).toString(16).padStart(6, '0') : String(next);
  next = next === Number(end) ? Number(start) : next + 1;
  return `${method} ${before}${word}${after}${rest}`;
}
const headEnd = Buffer.from('\r\n\r\n');

const latencies: number[] = [];
let bad = 0;
let firstBad: string | undefined;
let bytes = 0;
let running = true;

function runConnection(connection: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), '127.0.0.1');
    let startedAt = 0;
    let missing = -1;
    let head: Buffer = Buffer.alloc(0);
    const send = (): void => {
      if (!running || left === 0) {
        socket.destroy();
        resolve();
        return;
      }
      left -= 1;
      startedAt = performance.now();
      missing = -1;
      head = Buffer.alloc(0);
      socket.write(nextRequest(connection));
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const at = head.indexOf(headEnd);
        if (at < 0) return;
        const text = head.toString('latin1', 0, at);
        if (!text.startsWith('HTTP/1.1 200')) {
          bad += 1;
          firstBad ??= head.toString('utf8').slice(0, 2000);
        }
        missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - at - headEnd.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      latencies.push(performance.now() - startedAt);
      send();
    });
  });
}

const began = performance.now();
setTimeout(() => (running = false), Number(seconds) * 1000).unref();
await Promise.all(Array.from({ length: Number(connections) }, (_, connection) => runConnection(connection)));
const elapsed = (performance.now() - began) / 1000;
latencies.sort((a, b) => a - b);
const percentile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
process.stdout.write(
  `${JSON.stringify({ perSecond: latencies.length / elapsed, p50Ms: percentile(0.5), p99Ms: percentile(0.99), bad, firstBad, bytesEach: bytes / latencies.length })}\n`,
);
