// Floods of HTTP/2 frames on one connection: streams that are reset at once, headers without an end, settings, pings and
// empty frames. The neighbour is served all the time, and the memory of the service stays bounded.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { attackerHost, startAttackedService, type AttackedService } from './support/attacked-service.ts';
import { assertUndisturbed, measureToleratedP99, startNeighbour } from './support/neighbour.ts';

const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
};
const endStream = 0x1;
const endHeaders = 0x4;

/** RFC 9113, 4.1. */
function frame(
  type: keyof typeof frameTypes,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(frameTypes[type], 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** RFC 7541, 6.2.2: a field whose name and value are written out. */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

const requestFields = (path = '/api/v1/public/status'): Buffer =>
  Buffer.concat([
    field(':method', 'GET'),
    field(':scheme', 'https'),
    field(':authority', attackerHost),
    field(':path', path),
  ]);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Client streams have odd ids. */
const streamId = (at: number): number => 2 * at + 1;

/** The frames of a flood, by its name: the bytes of its n-th step. */
const floods: Readonly<Record<string, (at: number) => Buffer>> = {
  'rapid reset': (at) =>
    Buffer.concat([
      frame('headers', endStream | endHeaders, streamId(at), requestFields()),
      frame('reset', 0, streamId(at), uint32(8)),
    ]),
  'resets by the service': (at) =>
    // A window of zero is an error of the stream, which the service has to reset.
    Buffer.concat([
      frame('headers', endHeaders, streamId(at), requestFields()),
      frame('windowUpdate', 0, streamId(at), uint32(0)),
    ]),
  'headers without an end': (at) =>
    at === 0
      ? frame('headers', endStream, 1, requestFields())
      : frame('continuation', 0, 1, field(`x-${at}`, 'y'.repeat(100))),
  'empty continuations': (at) =>
    at === 0 ? frame('headers', endStream, 1, requestFields()) : frame('continuation', 0, 1),
  settings: () => frame('settings', 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(65_535)])),
  pings: () => frame('ping', 0, 0, Buffer.alloc(8)),
  'empty data': (at) =>
    at === 0 ? frame('headers', endHeaders, 1, requestFields('/api/v1/session/login')) : frame('data', 0, 1),
  priorities: (at) => frame('priority', 0, streamId(at), Buffer.concat([uint32(0), Buffer.from([1])])),
  // Beyond the greatest number of streams.
  'streams that stay open': (at) => frame('headers', endHeaders, streamId(at), requestFields('/api/v1/session/login')),
  'window updates': () => frame('windowUpdate', 0, 0, uint32(1)),
  'an overflowing window': () => frame('windowUpdate', 0, 0, uint32(0x7f_ff_ff_ff)),
  'a table of headers that grows': (at) =>
    // RFC 7541, 6.2.1: fields that are to be remembered.
    frame(
      'headers',
      endStream | endHeaders,
      streamId(at),
      Buffer.concat([
        requestFields(),
        Buffer.from([0x40, 4]),
        Buffer.from(`x-${at % 90}0`.slice(0, 4).padEnd(4, '0')),
        Buffer.from([100]),
        Buffer.alloc(100, 'y'),
      ]),
    ),
};

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame('settings', 0, 0));
  return socket;
}

type Limits = { readonly steps: number; readonly forMs: number; readonly reads: boolean };

/** How long after the last step the service may still be reading. */
const endWithinMs = 3000;

/** Returns how many steps were sent until the service ended the connection; Infinity if it did not. */
async function flood(port: number, stepOf: (at: number) => Buffer, { steps, forMs, reads }: Limits): Promise<number> {
  const socket = await open(port);
  if (reads) socket.resume();
  else socket.pause();
  const ended = once(socket, 'close').catch(() => {});
  const until = performance.now() + forMs;
  let at = 0;
  while (at < steps && !socket.destroyed && performance.now() < until) {
    const batch = Array.from({ length: Math.min(200, steps - at) }, (_, index) => stepOf(at + index));
    at += batch.length;
    // A service that does not read is waited for only as long as the flood may last.
    if (!socket.write(Buffer.concat(batch)))
      await Promise.race([once(socket, 'drain').catch(() => {}), ended, sleep(200)]);
  }
  await Promise.race([ended, sleep(endWithinMs)]);
  const isEnded = socket.destroyed || socket.readableEnded;
  socket.destroy();
  return isEnded ? at : Number.POSITIVE_INFINITY;
}

async function assertServed(service: AttackedService, name: string): Promise<void> {
  const socket = await open(service.port);
  socket.write(frame('headers', endStream | endHeaders, 1, requestFields('/livez')));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const until = performance.now() + 10_000;
  // The body of /livez follows the header fields, which are compressed.
  while (!Buffer.concat(chunks).includes('"ok"')) {
    assert.ok(performance.now() < until, `after ${name} the service does not answer over HTTP/2`);
    await sleep(20);
  }
  socket.destroy();
}

/** More than a few connections can need, and much less than a flood sends. */
const toleratedGrowthBytes = 256 * 1024 * 1024;

async function run({ isLong }: RoundOptions): Promise<RoundFigures> {
  const service = await startAttackedService({ tls: true, settings: { PORTAL_RATE_LIMIT: 'off' } });
  const figures: Record<string, number | string> = {};
  try {
    const toleratedMs = await measureToleratedP99(service);
    const before = await service.readMemory();
    let most = before;
    let worstP99 = 0;
    for (const [name, stepOf] of Object.entries(floods))
      // Of a client that does not read, the end is seen late.
      for (const reads of isLong ? [true, false] : [true]) {
        const neighbour = await startNeighbour(service);
        const limits = { steps: isLong ? 500_000 : 20_000, forMs: isLong ? 20_000 : 1500, reads };
        const sent = await Promise.all(
          Array.from({ length: isLong ? 8 : 2 }, () => flood(service.port, stepOf, limits)),
        );
        most = Math.max(most, await service.readMemory());
        await assertServed(service, name);
        const undisturbed = await neighbour.stop();
        worstP99 = Math.max(worstP99, assertUndisturbed(undisturbed, name, toleratedMs));
        const ended = sent.every(Number.isFinite) ? `ended by ${Math.max(...sent)} steps` : 'not ended';
        figures[`${name}${reads ? '' : ', unread'}: the connection was`] = ended;
      }
    assert.ok(most - before < toleratedGrowthBytes, `memory grew from ${before} to ${most} bytes`);
    await service.assertHealthy();
    return {
      ...figures,
      'greatest p99 of the neighbour in ms': worstP99,
      'memory in MB before': Math.round(before / 1e6),
      'memory in MB at most': Math.round(most / 1e6),
    };
  } finally {
    await service.stop();
  }
}

/** What one HTTP/2 connection can do to all others. */
export const http2Floods: Round = { name: 'http2-floods', run };
