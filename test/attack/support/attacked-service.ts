// Starts the service as a process of its own, with two tenants: the one that is attacked from, and its neighbour, whose
// managers must not notice. The limits are those that it has without settings.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createSelfSignedCertificate } from '../../http/support/certificate.ts';
import { sundHost } from '../../support/call.ts';
import { getTenant, seedDemoTenant } from '../../support/demo-database.ts';
import { insertTestManager, createToken } from '../../support/factories.ts';
import { startMariaDb } from '../../support/mariadb-server.ts';
import { startServeProcess, type ServeProcess } from '../../support/portal-process.ts';
import { startService, type Engine } from '../../support/service.ts';
import { toMs2000 } from '../../../src/lib/time/ms2000.ts';

export const neighbourHost = 'api.fjord.localhost';
export const attackerHost = sundHost;

const tenants = ['sund', 'fjord'];

const attackerCount = 40;

/** Of a manager of the neighbour, and of one of the attacked tenant. */
export const credentials = { userName: 'observed', password: 'four plain words here' };

export type AttackedService = {
  readonly port: number;
  readonly tls: boolean;
  readonly process: ServeProcess;
  readonly attackerToken: string;
  /** Of other managers of the attacked tenant: none has used up the limit of another. */
  readonly attackerTokens: readonly string[];
  readonly neighbourToken: string;
  /** Resident memory of the process, in bytes. */
  readMemory(): Promise<number>;
  /** Throws if the process has ended, does not answer, or has logged a defect. */
  assertHealthy(): Promise<void>;
  stop(): Promise<void>;
};

export type AttackedServiceOptions = {
  readonly engine?: Engine;
  readonly tls?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
};

export async function startAttackedService(options: AttackedServiceOptions = {}): Promise<AttackedService> {
  const { engine = 'sqlite', tls = false, settings = {} } = options;
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'portal-attack-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const storageUrl = engine === 'sqlite' ? `sqlite:${join(folder, 'data')}` : await startServer(stack);
    const tokens = await seed(engine, storageUrl);
    const tenantsFile = join(folder, 'tenants.json');
    writeFileSync(tenantsFile, JSON.stringify(tenants.map(getTenant)));
    const process = await startServeProcess({
      PORTAL_STORAGE: storageUrl,
      PORTAL_TENANTS: tenantsFile,
      PORTAL_CACHE: join(folder, 'cache'),
      PORTAL_MAIL_OUTBOX: join(folder, 'outbox'),
      PORTAL_HOSTING_STATE: join(folder, 'hosting'),
      PORTAL_LOG_LEVEL: 'warn',
      ...(tls ? writeCertificate(folder) : {}),
      ...settings,
    });
    stack.defer(() => process.kill());
    return {
      port: process.port,
      tls,
      process,
      ...tokens,
      readMemory: () => readMemory(process),
      assertHealthy: () => assertHealthy(process),
      stop: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startServer(stack: AsyncDisposableStack): Promise<string> {
  const server = await startMariaDb();
  if (server === undefined) throw new Error('MariaDB is not installed');
  stack.defer(() => server.stop());
  return server.url('attack_');
}

function writeCertificate(folder: string): Record<string, string> {
  const { cert, key } = createSelfSignedCertificate(attackerHost);
  const files = { PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(files.PORTAL_TLS_CERT, cert);
  writeFileSync(files.PORTAL_TLS_KEY, key, { mode: 0o600 });
  return files;
}

/** Demo data of this moment in both tenants, and a manager with every right in each. */
async function seed(
  engine: Engine,
  storageUrl: string,
): Promise<Pick<AttackedService, 'attackerToken' | 'attackerTokens' | 'neighbourToken'>> {
  const storage = { storageUrl, release: async () => {} };
  const service = await startService(engine, { storage, tenants });
  try {
    const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
    const tokens: string[] = [];
    for (const tenant of tenants) {
      const now = toMs2000(Date.now());
      await seedDemoTenant(service.dependencies.databases.forTenant(tenant), tenant, { now });
      await service.write(tenant, (db) =>
        insertTestManager(db, { userName: credentials.userName, passwordHash, permissions: [], grants: [] }),
      );
      tokens.push((await createToken(service, { tenant, passwordHash })).token);
    }
    const attackerTokens: string[] = [];
    for (let at = 0; at < attackerCount; at += 1)
      attackerTokens.push((await createToken(service, { tenant: 'sund', passwordHash })).token);
    const [attackerToken = '', neighbourToken = ''] = tokens;
    return { attackerToken, attackerTokens, neighbourToken };
  } finally {
    await service.stop();
  }
}

async function readMemory({ metricsUrl }: ServeProcess): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

async function assertHealthy(process: ServeProcess): Promise<void> {
  const ready = await fetch(new URL('/readyz', process.metricsUrl));
  if (ready.status !== 200) throw new Error(`the service is not ready: ${await ready.text()}`);
  const defects = process.lines().filter((line) => /"level":"(?:error|fatal)"/.test(line));
  if (defects.length > 0) throw new Error(`the service has logged a defect: ${defects[0]}`);
  if (process.stderr() !== '') throw new Error(`the service wrote: ${process.stderr()}`);
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: number };

export type PlainRequest = {
  readonly method?: string;
  readonly path: string;
  readonly host?: string;
  readonly token?: string;
  readonly body?: string;
  readonly contentType?: string;
  /** The loopback address that it comes from. */
  readonly from?: string;
  readonly timeoutMs?: number;
  readonly tls?: boolean;
};

/** Sends a request on a connection of its own, and reads the whole answer. Rejects if there is none in time. */
export async function ask(port: number, options: PlainRequest): Promise<Answer> {
  const incoming = await send(port, options);
  let bytes = 0;
  for await (const chunk of incoming) bytes += (chunk as Buffer).length;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, bytes };
}

/** The parsed body of the answer. */
export const readJson = async (port: number, options: PlainRequest): Promise<unknown> =>
  json(await send(port, options));

async function send(port: number, options: PlainRequest): Promise<IncomingMessage> {
  const { method = 'GET', path, host = neighbourHost, token, body, from = '127.0.0.77', timeoutMs = 60_000 } = options;
  const { contentType = 'application/json', tls = false } = options;
  const outgoing = (tls ? requestTls : request)({
    ...(tls ? { rejectUnauthorized: false } : {}),
    host: '127.0.0.1',
    localAddress: from,
    port,
    method,
    path,
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      host,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    },
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return incoming;
}
