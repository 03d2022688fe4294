// The connections of one address, and all connections, are limited: the longest idle ones are closed for new ones, busy
// ones never.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { serviceFixture } from '../support/service-suite.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';

const perAddress = 4;
const total = 12;
const proxy = '127.0.0.9';
const limits = { PORTAL_CONNECTIONS: `${total},${perAddress}`, PORTAL_TRUSTED_PROXIES: proxy };
const host = 'api.sund.localhost';
const image = '/api/v1/gradients/linear/ff0000-0000ff/30.svg';
const unfinished = `POST /api/v1/session/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;

const opened: { destroy(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) each.destroy();
  // Wait until the service sees them closed.
  await new Promise((resolve) => setTimeout(resolve, 50));
});

/** A connection on which nothing was sent yet. */
async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  opened.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The status of the answer; 0 if the service closes without one. */
async function statusOf(socket: Socket, path: string): Promise<number> {
  if (socket.closed || socket.destroyed) return 0;
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(String((await answer)[0]))?.[1] ?? 0);
}

const answers = async (sockets: readonly Socket[], path = '/livez'): Promise<number[]> => {
  const statuses: number[] = [];
  for (const socket of sockets) statuses.push(await statusOf(socket, path));
  return statuses;
};

describe('over plain HTTP/1.1', () => {
  const { service, started } = serviceFixture('sqlite', { settings: limits, manager: false });
  before(() => started);

  /** Idle connections of an address, in the order in which they were used. */
  const openIdle = async (from: string, count: number, path = '/livez'): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    for (let at = 0; at < count; at += 1) sockets.push(await open(service.port, from));
    assert.deepEqual(new Set(await answers(sockets, path)), new Set([200]));
    return sockets;
  };
  /** Connections with a request whose body is still to come. */
  const openBusy = async (from: string, count: number): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    for (let at = 0; at < count; at += 1) {
      const socket = await open(service.port, from);
      socket.write(unfinished);
      sockets.push(socket);
    }
    const active = async (): Promise<string> => service.dependencies.metrics.text();
    while (!new RegExp(`^http_server_active_requests ${busy + count}$`, 'm').test(await active()))
      await new Promise((resolve) => setTimeout(resolve, 5));
    busy += count;
    return sockets;
  };
  let busy = 0;
  afterEach(async () => {
    busy = 0;
    while (!/^http_server_active_requests 0$/m.test(await service.dependencies.metrics.text()))
      await new Promise((resolve) => setTimeout(resolve, 5));
  });

  for (const path of ['/livez', image])
    test(`a new connection of an address replaces its longest idle one, after ${path}`, async () => {
      const sockets = await openIdle('127.0.0.2', perAddress, path);
      const other = await openIdle('127.0.0.3', 1);
      // The first is used again, so that the second is the longest idle.
      assert.equal(await statusOf(sockets[0] as Socket, path), 200);
      sockets.push(await open(service.port, '127.0.0.2'));
      assert.deepEqual(await answers(sockets), [200, 0, 200, 200, 200]);
      assert.deepEqual(await answers(other), [200]);
    });

  test('connections on which nothing was ever sent are replaced too', async () => {
    const silent: Socket[] = [];
    for (let at = 0; at < 3 * perAddress; at += 1) silent.push(await open(service.port, '127.0.0.2'));
    assert.equal(await statusOf(await open(service.port, '127.0.0.2'), '/livez'), 200);
    const left = (await answers(silent)).filter((status) => status === 200);
    assert.equal(left.length, perAddress - 1);
  });

  test('an address whose connections are all busy gets no more, and other addresses do', async () => {
    const sockets = await openBusy('127.0.0.2', perAddress);
    assert.deepEqual(await answers([await open(service.port, '127.0.0.2')]), [0]);
    assert.deepEqual(await answers([await open(service.port, '127.0.0.3')]), [200]);
    assert.ok(sockets.every(({ closed }) => !closed));
    // One ends, which makes room.
    sockets[0]?.destroy();
    while ((await answers([await open(service.port, '127.0.0.2')]))[0] !== 200)
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(await service.dependencies.metrics.text(), /^http_server_refused_connections_total [1-9]/m);
  });

  test('a trusted proxy has no limit of its own', async () => {
    const sockets = await openIdle(proxy, total);
    assert.deepEqual(
      await answers(sockets),
      Array.from(sockets, () => 200),
    );
  });

  test('beyond the total limit the longest idle connection is replaced, those of proxies last', async () => {
    const proxied = await openIdle(proxy, 4);
    const first = await openIdle('127.0.0.2', perAddress);
    const second = await openIdle('127.0.0.3', perAddress);
    assert.equal(await statusOf(await open(service.port, '127.0.0.4'), '/livez'), 200);
    assert.deepEqual(await answers(first), [0, 200, 200, 200]);
    assert.deepEqual(
      await answers([...second, ...proxied]),
      Array.from({ length: 8 }, () => 200),
    );
  });

  test('ten times the permitted number of connections leave room for a new client', async () => {
    for (let at = 0; at < 10 * total; at += 1) await open(service.port, `127.0.1.${1 + (at % 40)}`);
    for (const from of ['127.0.0.5', '127.0.0.6'])
      assert.equal(await statusOf(await open(service.port, from), '/livez'), 200);
  });

  test('a new connection is refused if all are busy, after idle ones of proxies were replaced', async () => {
    const proxied = await openIdle(proxy, 1);
    for (const from of ['127.0.0.2', '127.0.0.3']) await openBusy(from, perAddress);
    await openBusy('127.0.0.4', 3);
    const last = await openBusy('127.0.0.5', 1);
    assert.deepEqual(await answers(proxied), [0]);
    assert.deepEqual(await answers([await open(service.port, '127.0.0.6')]), [0]);
    assert.ok(last.every(({ closed }) => !closed));
  });
});

describe('over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));
  after(() => rmSync(folder, { recursive: true }));
  const settings = { ...limits, PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
  before(() => {
    const { cert, key } = createSelfSignedCertificate(host);
    writeFileSync(settings.PORTAL_TLS_CERT, cert);
    writeFileSync(settings.PORTAL_TLS_KEY, key, { mode: 0o600 });
  });
  const { service, started } = serviceFixture('sqlite', { settings, manager: false });
  before(() => started);

  const secure = async (localAddress: string, protocol = 'http/1.1'): Promise<TLSSocket> => {
    const plain = await open(service.port, localAddress);
    const socket = connectTls({ socket: plain, ALPNProtocols: [protocol], rejectUnauthorized: false });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };
  const session = async (localAddress: string): Promise<ClientHttp2Session> => {
    const socket = await secure(localAddress, 'h2');
    const made = connectHttp2(`https://127.0.0.1:${service.port}`, { createConnection: () => socket });
    made.on('error', () => {});
    await once(made, 'connect');
    return made;
  };
  const ask = async (made: ClientHttp2Session): Promise<number> => {
    if (made.destroyed) return 0;
    const stream = made.request({ ':path': '/livez', ':authority': host });
    stream.on('error', () => {});
    const [headers] = await Promise.race([once(stream, 'response'), once(stream, 'close')]);
    stream.resume();
    return Number((headers as Record<string, unknown> | undefined)?.[':status'] ?? 0);
  };

  test('connections that never finish their handshake are replaced', async () => {
    for (let at = 0; at < 2 * perAddress; at += 1) await open(service.port, '127.0.0.2');
    assert.equal(await statusOf(await secure('127.0.0.2'), '/livez'), 200);
  });

  test('the longest idle connection is replaced, HTTP/1.1 or HTTP/2', async () => {
    const plain = await secure('127.0.0.2');
    assert.equal(await statusOf(plain, '/livez'), 200);
    const sessions = [await session('127.0.0.2'), await session('127.0.0.2'), await session('127.0.0.2')];
    for (const each of sessions) assert.equal(await ask(each), 200);
    assert.equal(await statusOf(plain, '/livez'), 200);
    assert.equal(await ask(await session('127.0.0.2')), 200);
    assert.equal(await ask(sessions[0] as ClientHttp2Session), 0);
    assert.equal(await statusOf(plain, '/livez'), 200);
  });

  test('a session with an open stream is busy', async () => {
    const busy: ClientHttp2Session[] = [];
    for (let at = 0; at < perAddress; at += 1) {
      const made = await session('127.0.0.2');
      const stream = made.request(
        { ':method': 'POST', ':path': '/api/v1/session/login', ':authority': host, 'content-type': 'application/json' },
        { endStream: false },
      );
      stream.on('error', () => {});
      stream.write('{');
      busy.push(made);
    }
    while (!/^http_server_active_requests 4$/m.test(await service.dependencies.metrics.text()))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await open(service.port, '127.0.0.2');
    await Promise.race([once(refused, 'close'), once(refused.resume(), 'end')]);
    assert.ok(busy.every(({ destroyed }) => !destroyed));
    assert.equal(await ask(await session('127.0.0.3')), 200);
  });
});
