// The end of the process: running requests are finished, new ones are refused, and open connections do not delay it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { insertTestManager } from '../support/factories.ts';
import { createStorage, startService } from '../support/service.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';
import { startServeProcess, type ServeProcess } from '../support/portal-process.ts';

const host = 'api.sund.localhost';
const path = '/api/v1/session/login';
const credentials = { userName: 'stayer', password: 'a long and secret passphrase' };
const body = JSON.stringify(credentials);

/** A process with its own storage, whose tenant `sund` has one manager. */
async function serving(
  work: (child: ServeProcess, holdWrites: () => () => void) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const storage = await createStorage('sqlite');
  const service = await startService('sqlite', { storage });
  const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
  await service.write('sund', (db) => insertTestManager(db, { userName: credentials.userName, passwordHash }));
  await service.stop();
  const child = await startServeProcess({ PORTAL_STORAGE: storage.storageUrl, ...settings });
  try {
    await work(child, () => lock(join(storage.storageUrl.slice('sqlite:'.length), 'sund.sqlite')));
  } finally {
    await child.kill();
    await storage.release();
  }
}

/** Delays every write, like another process with a long write. */
function lock(file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec('begin immediate');
  return () => database.close();
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

const untilActive = ({ metricsUrl }: ServeProcess): Promise<void> =>
  until(async () => /^http_server_active_requests 1$/m.test(await (await fetch(metricsUrl)).text()));

const untilRefusing = ({ port }: ServeProcess): Promise<void> =>
  until(
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(false));
        socket.on('error', () => resolve(true)).on('connect', () => socket.destroy());
      }),
  );

/** An open connection on which `bytes` were sent and, if they are a request, answered. */
async function opened({ port }: ServeProcess, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  if (bytes.endsWith('\r\n\r\n')) await once(socket, 'data');
  return socket;
}

type Answer = { readonly status: number | undefined; readonly connection: string | undefined };

/** Logs in over a connection that the client wants to keep open. */
function login({ port }: ServeProcess): Promise<Answer> {
  const headers = { host, 'content-type': 'application/json', 'content-length': body.length, connection: 'keep-alive' };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (reply) => {
      reply.resume().on('end', () => resolve({ status: reply.statusCode, connection: reply.headers.connection }));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** It did not end only because the limit of 10 seconds was over. */
async function assertEndedByItself(child: ServeProcess): Promise<void> {
  assert.deepEqual(await child.ended, { code: 0, signal: null });
  const messages = messagesOf(child);
  assert.ok(messages.includes('stopping') && !messages.includes('shutdown timed out'), messages.join('; '));
}

const messagesOf = (child: ServeProcess): string[] =>
  child.lines().map((line) => (JSON.parse(line) as { msg: string }).msg);

/** The same over HTTP/2, on a session that stays open. */
function loginOver(session: ClientHttp2Session): Promise<Answer> {
  const headers = { ':method': 'POST', ':path': path, ':authority': host, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const stream = session.request(headers);
    stream.on('response', (answered) => {
      const { ':status': status, connection } = answered;
      stream.resume().on('end', () => resolve({ status, connection: connection?.toString() }));
    });
    stream.on('error', reject).end(body);
  });
}

// Each has its own process, so that the slow one delays none of the others.
describe('a process that gets a stop signal', { concurrency: true }, () => {
  test('finishes running requests, closes idle connections, refuses new ones and exits with 0', async () => {
    await serving(async (child, holdWrites) => {
      const release = holdWrites();
      const idle = await opened(child, `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      const idleClosed = once(idle, 'close');
      const answer = login(child);
      await untilActive(child);
      child.signal('SIGTERM');
      await Promise.all([untilRefusing(child), idleClosed]);
      // A second signal does not interrupt the requests that the first one waits for.
      child.signal('SIGTERM');
      release();
      assert.deepEqual(await answer, { status: 200, connection: 'close' });
      await assertEndedByItself(child);
    });
  });

  test('finishes running requests over HTTP/2, and is not delayed by a session that stays open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));
    const settings = { PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
    const { cert, key } = createSelfSignedCertificate(host);
    writeFileSync(settings.PORTAL_TLS_CERT, cert);
    writeFileSync(settings.PORTAL_TLS_KEY, key, { mode: 0o600 });
    await serving(async (child, holdWrites) => {
      const [busy, idle] = [1, 2].map(() =>
        connectHttp2(child.url, { rejectUnauthorized: false }).on('error', () => {}),
      );
      assert.ok(busy !== undefined && idle !== undefined);
      await Promise.all([once(busy, 'connect'), once(idle, 'connect')]);
      const release = holdWrites();
      const answer = loginOver(busy);
      await untilActive(child);
      child.signal('SIGTERM');
      await untilRefusing(child);
      release();
      assert.deepEqual(await answer, { status: 200, connection: undefined });
      await assertEndedByItself(child);
    }, settings);
    rmSync(folder, { recursive: true });
  });

  test('is not delayed by connections without requests', async () => {
    await serving(async (child) => {
      const asked = `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      for (const bytes of ['', '', asked, asked]) await opened(child, bytes);
      child.signal('SIGINT');
      await assertEndedByItself(child);
    });
  });

  test('ends as soon as it is ready, and aborts its start checks without logging them', async () => {
    await serving(async (child) => {
      child.signal('SIGTERM');
      await assertEndedByItself(child);
      assert.equal(messagesOf(child).at(-1), 'stopping');
    });
  });

  test('also gets the signal that is sent to the npm process that started it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-npm-'));
    const ports = { PORTAL_PORT: '0', PORTAL_METRICS_PORT: '0' };
    const npm = spawn('npm', ['run', '--silent', 'portal', '--', 'serve'], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        PORTAL_STORAGE: `sqlite:${folder}`,
        PORTAL_CACHE: folder,
        PORTAL_HOSTING_STATE: join(folder, 'hosting'),
        ...ports,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const messages: string[] = [];
    try {
      // npm and the service share the output, which closes when the last of them ends.
      for await (const line of createInterface({ input: npm.stdout, signal: AbortSignal.timeout(60_000) })) {
        const { msg } = JSON.parse(line) as { msg: string };
        messages.push(msg);
        if (msg === 'ready') npm.kill('SIGTERM');
      }
      assert.ok(messages.includes('ready'));
      assert.ok(messages.includes('stopping'));
    } finally {
      if (!messages.includes('stopping')) process.kill(-(npm.pid ?? 0), 'SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  test('aborts requests that never end after 10 seconds, and exits with 0', async () => {
    await serving(async (child) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`;
      await opened(child, head);
      await opened(child, `${head}\r\n{"userName"`);
      await untilActive(child);
      const signalledAtMs = performance.now();
      child.signal('SIGTERM');
      assert.deepEqual(await child.ended, { code: 0, signal: null });
      const tookMs = performance.now() - signalledAtMs;
      assert.ok(tookMs >= 9900, `it took ${tookMs} ms`);
      // Without this limit it would end with the timeout of a request, after 30 seconds.
      assert.ok(messagesOf(child).includes('shutdown timed out'));
    });
  });
});
