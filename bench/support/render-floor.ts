// Measures rendering with only sharp. `loop SVG PIXELS SECONDS` renders without HTTP, two images at a time as the
// service does, and prints {"perSecond"}; `serve SVG PIXELS` prints {"port"} of a server that blocks its event loop
// while it renders at `/render`, and answers a small JSON elsewhere.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

const render = (svg: string, size: number): Promise<Buffer> =>
  sharp(Buffer.from(svg.replace('<svg ', `<svg width="${size}" height="${size}" `)))
    .png({ compressionLevel: 3 })
    .toBuffer();

type Shared = { readonly svg: string; readonly size: number; readonly done: SharedArrayBuffer };

async function loop(svg: string, size: number, seconds: number): Promise<void> {
  const began = performance.now();
  let count = 0;
  const renderUntilEnd = async (): Promise<void> => {
    for (; performance.now() - began < seconds * 1000; count += 1) await render(svg, size);
  };
  await Promise.all([renderUntilEnd(), renderUntilEnd()]);
  process.stdout.write(`${JSON.stringify({ perSecond: (count * 1000) / (performance.now() - began) })}\n`);
}

function serve(svg: string, size: number): void {
  const done = new SharedArrayBuffer(4);
  const flag = new Int32Array(done);
  const worker = new Worker(new URL(import.meta.url), { workerData: { svg, size, done } satisfies Shared });
  const server = createServer((request, response) => {
    if (request.url === '/render') {
      Atomics.store(flag, 0, 0);
      worker.postMessage('render');
      Atomics.wait(flag, 0, 0);
    }
    const body = '{"status":"ok"}';
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
  });
  process.on('SIGTERM', () => process.exit(0));
}

function renderOnDemand({ svg, size, done }: Shared): void {
  const flag = new Int32Array(done);
  parentPort?.on('message', () => {
    void render(svg, size).then(() => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    });
  });
}

const [mode = '', svg = '', size = '', seconds = ''] = process.argv.slice(2);
if (!isMainThread) renderOnDemand(workerData as Shared);
else if (mode === 'loop') await loop(svg, Number(size), Number(seconds));
else serve(svg, Number(size));
