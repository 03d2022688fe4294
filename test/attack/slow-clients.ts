// Many clients that send header fields or bodies byte by byte, or do not read what they have asked for. Each is cut off
// within the limits of docs/operating.md, the neighbour is served all the time, and the memory stays bounded. The long
// form runs slowhttptest besides.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { findProgram, killProgram } from '../support/programs.ts';
import { attackerHost, startAttackedService, type AttackedService } from './support/attacked-service.ts';
import { assertUndisturbed, measureToleratedP99, startNeighbour } from './support/neighbour.ts';

type SlowClient = {
  /** Sent at once. */
  readonly opening: string;
  /** Sent every second. */
  readonly drop: string;
  readonly reads: boolean;
};

const login = `POST /api/v1/session/login HTTP/1.1\r\nHost: ${attackerHost}\r\nContent-Type: application/json`;

const kinds: Readonly<Record<string, SlowClient>> = {
  'header fields': { opening: `GET /livez HTTP/1.1\r\nHost: ${attackerHost}\r\n`, drop: 'X-Slow: y\r\n', reads: true },
  'a body': { opening: `${login}\r\nContent-Length: 8000\r\n\r\n{`, drop: ' ', reads: true },
  'a body in chunks': { opening: `${login}\r\nTransfer-Encoding: chunked\r\n\r\n`, drop: '1\r\n \r\n', reads: true },
  'an answer that is not read': {
    opening: `GET /api/v1/icon/line/washer/2048.bmp HTTP/1.1\r\nHost: ${attackerHost}\r\n\r\n`,
    drop: '',
    reads: false,
  },
};

/** A client may take 30 seconds; on a busy machine the service sees that late. */
const endWithinMs = 90_000;
const toleratedGrowthBytes = 512 * 1024 * 1024;
/** An address may have 256 connections. */
const connectionsPerAddress = 200;

async function open(port: number, at: number): Promise<Socket> {
  const localAddress = `127.0.2.${1 + Math.floor(at / connectionsPerAddress)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** How long the service has kept the connection, in milliseconds. */
async function staySlow(port: number, { opening, drop, reads }: SlowClient, at: number): Promise<number> {
  const socket = await open(port, at);
  const from = performance.now();
  socket.write(opening);
  if (reads) socket.resume();
  else socket.pause();
  while (!socket.destroyed && performance.now() - from < endWithinMs) {
    await sleep(1000);
    // What is written to a connection that the service has cut off shows that it is.
    socket.write(reads ? drop : 'GET');
  }
  const keptMs = performance.now() - from;
  assert.ok(socket.destroyed, `a client that is slow with ${opening.slice(0, 40)} is kept`);
  return keptMs;
}

async function runSlowClients(service: AttackedService, count: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  let first = 0;
  const all = Object.entries(kinds).map(async ([name, client]) => {
    const begin = first;
    first += count;
    const keptMs = await Promise.all(
      Array.from({ length: count }, (_, at) => staySlow(service.port, client, begin + at)),
    );
    figures[`slow with ${name}: clients`] = count;
    figures[`slow with ${name}: kept at most, in s`] = Math.round(Math.max(...keptMs) / 1000);
  });
  await Promise.all(all);
  return figures;
}

/**
 * 240 connections at 200 a second, for 45 seconds; a probe waits for three. It comes from the same address, which may have
 * 256 connections.
 */
const slowLoad = ['-c', '240', '-r', '200', '-l', '45', '-p', '3', '-v', '1'];

type SlowMode = { readonly args: readonly string[]; readonly path: string };

const slowModes: Readonly<Record<string, SlowMode>> = {
  'slowhttptest, headers': { args: ['-H', '-i', '2'], path: '/api/v1/public/status' },
  'slowhttptest, body': {
    args: ['-B', '-i', '2', '-s', '8192', '-f', 'application/json'],
    path: '/api/v1/session/login',
  },
  'slowhttptest, ranges': { args: ['-R', '-t', 'GET'], path: '/api/v1/public/status' },
  'slowhttptest, reading': {
    args: ['-X', '-n', '5', '-z', '32', '-k', '3'],
    path: '/api/v1/icon/line/washer/2048.bmp',
  },
};

/** Returns what its last report says: whether the service was available throughout, and why the test ended. */
async function runSlowHttpTest(service: AttackedService, { args, path }: SlowMode): Promise<string> {
  const address = `127.0.0.1:${service.port}`;
  const child = spawn(
    findProgram('slowhttptest') ?? '',
    // As its proxy the service is found without a name server, which may not know the host.
    [...args, ...slowLoad, '-d', address, '-u', `http://${attackerHost}:${service.port}${path}`],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.resume();
    await once(child, 'close');
    const plain = stripVTControlCharacters(output);
    const states = [...plain.matchAll(/service available:\s*(YES|NO)/g)].map(([, state = '']) => state);
    const [, end = ''] = /Exit status:\s*(.*)/.exec(plain) ?? [];
    // A test that reached nothing reports an available service.
    assert.match(end, /^(?:Hit test time limit|No open connections left)/, `slowhttptest: ${plain.slice(-500)}`);
    assert.ok(states.length > 0, `slowhttptest reports nothing: ${plain.slice(-500)}`);
    return states.includes('NO') ? 'NO' : 'YES';
  } finally {
    await killProgram(child);
  }
}

async function run({ isLong }: RoundOptions): Promise<RoundFigures> {
  const service = await startAttackedService();
  try {
    const toleratedMs = await measureToleratedP99(service);
    const before = await service.readMemory();
    const neighbour = await startNeighbour(service);
    const figures: Record<string, number | string> = await runSlowClients(service, isLong ? 1000 : 150);
    if (isLong)
      for (const [name, mode] of Object.entries(slowModes)) {
        figures[`${name}: available`] = await runSlowHttpTest(service, mode);
        assert.equal(figures[`${name}: available`], 'YES', name);
      }
    const p99Ms = assertUndisturbed(await neighbour.stop(), 'slow clients', toleratedMs);
    const growth = (await service.readMemory()) - before;
    assert.ok(growth < toleratedGrowthBytes, `memory grew by ${growth} bytes`);
    await service.assertHealthy();
    return { ...figures, 'greatest p99 of the neighbour in ms': p99Ms, 'memory grew by MB': Math.round(growth / 1e6) };
  } finally {
    await service.stop();
  }
}

/** Clients that take as long as they may. */
export const slowClients: Round = { name: 'slow-clients', needs: ['slowhttptest'], run };
