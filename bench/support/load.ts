// A load client that costs little: raw sockets, one request at a time on each, bodies skipped by Content-Length. Run as
// a process of its own: `load.ts PORT PATH HOST TOKEN CONNECTIONS SECONDS`; prints one line of JSON. A `{new}` in the
// path is a colour that was not asked for before.

import { connect, type Socket } from 'node:net';

const [port = '', path = '/', host = 'localhost', token = '', connections = '32', seconds = '3'] =
  process.argv.slice(2);

const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
const [before = '', after] = path.split('{new}');
const rest = ` HTTP/1.1\r\nHost: ${host}\r\n${authorization}Accept: */*\r\n\r\n`;
const same = Buffer.from(`GET ${path}${rest}`);
let color = Date.now() % 0x1000000;

function nextRequest(): Buffer | string {
  if (after === undefined) return same;
  color = (color + 1) % 0x1000000;
  return `GET ${before}${color.toString(16).padStart(6, '0')}${after}${rest}`;
}
const headEnd = Buffer.from('\r\n\r\n');

const latencies: number[] = [];
let bad = 0;
let bytes = 0;
let running = true;

function drive(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), '127.0.0.1');
    let startedAt = 0;
    let missing = -1;
    let head: Buffer = Buffer.alloc(0);
    const send = (): void => {
      if (!running) {
        socket.destroy();
        resolve();
        return;
      }
      startedAt = performance.now();
      missing = -1;
      head = Buffer.alloc(0);
      socket.write(nextRequest());
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
        if (!text.startsWith('HTTP/1.1 200')) bad += 1;
        missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - at - headEnd.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      latencies.push(performance.now() - startedAt);
      send();
    });
  });
}

const began = performance.now();
setTimeout(() => (running = false), Number(seconds) * 1000);
await Promise.all(Array.from({ length: Number(connections) }, drive));
const elapsed = (performance.now() - began) / 1000;
latencies.sort((a, b) => a - b);
const percentile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
process.stdout.write(
  `${JSON.stringify({ perSecond: latencies.length / elapsed, p50Ms: percentile(0.5), p99Ms: percentile(0.99), bad, bytesEach: bytes / latencies.length })}\n`,
);
