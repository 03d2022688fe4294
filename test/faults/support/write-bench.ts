// A service, the writes of its API, and a way past it to what is stored: what the rounds of failing statements and of
// a failing connection have in common.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createOperations } from '../../../src/app.ts';
import { fromMs2000, toMs2000 } from '../../../src/lib/time/ms2000.ts';
import { createGeocodingProvider } from '../../addresses/support/geocoding-provider.ts';
import { startProxy, type MySqlProxy } from '../../database/support/mysql-proxy.ts';
import { createAllWrites, type RecordedWrite } from '../../support/all-writes.ts';
import { waitUntil } from '../../support/async.ts';
import { assertSoundAudit } from '../../support/audit.ts';
import { createBookableBank } from '../../support/bookings.ts';
import type { Call, HttpReply } from '../../support/call.ts';
import { computersPath, enrol, insertTestComputer } from '../../support/computers.ts';
import { createToken } from '../../support/factories.ts';
import { startInstance } from '../../support/instances.ts';
import { verifyBankLedger } from '../../support/ledger-checks.ts';
import { plainPasswords } from '../../support/password-hashing.ts';
import { createStorage, startService, type Engine, type TestService, type TestStorage } from '../../support/service.ts';
import { connectDirectly, storageAddressOf } from '../../support/test-database.ts';
import { dayMs, testNow } from '../../support/times.ts';
import { callSetUnitSetting, unitIds } from '../../support/unit-settings.ts';

/** A write that is ready to be sent. A second request is the same in every byte. */
export type ReadyWrite = {
  readonly operationId: string;
  readonly bankId: number;
  /** Has an Idempotency-Key. */
  readonly isKeyed: boolean;
  send(requestId: string): Promise<HttpReply>;
};

/** By the name of a table: a digest of its rows. */
export type StoredDigests = ReadonlyMap<string, string>;

export type WriteBench = {
  readonly service: TestService;
  readonly call: Call;
  readonly operationIds: readonly string[];
  readonly proxy: MySqlProxy | undefined;
  prepare(operationId: string): Promise<ReadyWrite>;
  readDigests(): Promise<StoredDigests>;
  /** How many entries the audit log has of a request; of lines of a stream, how many were stored. */
  countEffects(write: ReadyWrite, requestId: string): Promise<number>;
  /** Moves the clock of the service. */
  passMs(ms: number): void;
  /** A read of others is answered. */
  requireReads(): Promise<void>;
  /** A read and a write of others are answered. */
  requireHealthy(): Promise<void>;
  /** How many connections the service has open; 0 of a file. */
  countConnections(): Promise<number>;
  /** Every ledger and every chain of the audit log. */
  verify(): Promise<void>;
  stop(): Promise<void>;
};

/** `beforeStart` runs before the service opens its database. */
export async function startWriteBench(engine: Engine, beforeStart: () => void = () => {}): Promise<WriteBench> {
  const stack = new AsyncDisposableStack();
  const storage = await createStorage(engine);
  stack.defer(() => storage.release());
  const { proxied, proxy } = await putProxyBefore(storage, stack);
  const geocoding = createGeocodingProvider();
  await geocoding.start();
  stack.defer(() => geocoding.stop());
  beforeStart();
  let now = fromMs2000(testNow);
  const clock = (): number => now;
  const service = await startService(engine, { storage: proxied, clock, geocoder: geocoding.geocoder });
  stack.defer(() => service.stop());
  const { call, stop } = await startInstance(service, { passwordHasher: plainPasswords });
  stack.defer(stop);
  const outsider = await connectDirectly(storageAddressOf(storage));
  stack.defer(() => outsider.close());
  const others = await createToken(service, { livesMs: dayMs });
  await createBookableBank(service, { bankId: 2000 });
  let othersRevision = '0';
  const requireReads = async (): Promise<void> => {
    const read = await call('GET', computersPath(2000), { token: others.token });
    assert.equal(read.status, 200, read.text);
  };
  const banks: number[] = [];
  const nextBank = async (): Promise<number> => {
    const bankId = 2001 + banks.length;
    banks.push(bankId);
    await createBookableBank(service, { bankId });
    return bankId;
  };
  const { operations } = createOperations(service.dependencies);
  const operationIds = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  const keyedIds = new Set(operations.filter((each) => each.acceptsIdempotencyKey === true).map(({ id }) => id));
  let lastId = 100_000;
  return {
    service,
    call,
    operationIds: operationIds.filter((id) => !readingIds.has(id)),
    proxy,
    prepare: async (operationId) => {
      const bankId = await nextBank();
      const actor = await createToken(service, { livesMs: dayMs });
      const writes = createAllWrites({ service, target: { call }, actor, nextId: () => (lastId += 1) });
      const isKeyed = keyedIds.has(operationId);
      const key = isKeyed ? { 'idempotency-key': randomUUID() } : {};
      const send =
        operationId === 'SendStreamLines'
          ? await prepareLines(service, call, bankId)
          : (await requireWrite(writes, operationId)(bankId)).send;
      await waitForImports(service, bankId);
      return {
        operationId,
        bankId,
        isKeyed,
        send: (requestId) => send({ token: actor.token, headers: { 'x-request-id': requestId, ...key } }),
      };
    },
    readDigests: async () => {
      if (outsider.engine === 'sqlite') return readSqliteDigests((sql) => outsider.run(sql));
      return readMysqlDigests((sql) => outsider.run(sql));
    },
    countEffects: async ({ operationId, bankId }, requestId) => {
      const query =
        operationId === 'SendStreamLines'
          ? `select count(*) as number from held_lines where bank_id = ${bankId}`
          : `select count(*) as number from audit_entries where request_id = '${requestId}'`;
      const [row] = await outsider.run(query);
      return Number(row?.['number']);
    },
    passMs: (ms) => void (now += ms),
    requireReads,
    requireHealthy: async () => {
      await requireReads();
      const options = { token: others.token, expectedRevision: othersRevision };
      const written = await callSetUnitSetting({ call }, unitIds(2000), 'Note', `note ${othersRevision}`, options);
      assert.equal(written.status, 200, written.text);
      othersRevision = written.json.revision;
    },
    countConnections: async () => {
      if (outsider.engine === 'sqlite') return 0;
      const [row] = await outsider.run(
        'select count(*) as number from information_schema.processlist where db = database() and id <> connection_id()',
      );
      return Number(row?.['number']);
    },
    verify: async () => {
      for (const bankId of banks) assert.deepEqual(await verifyBankLedger(service, bankId), []);
      await assertSoundAudit(service);
    },
    stop: () => stack.disposeAsync(),
  };
}

/** What these store first stays when what follows fails; the same request goes on from there. */
export const severalTransactions: ReadonlySet<string> = new Set([
  'LookupObjectCoordinates',
  'UpdateObjectAddress',
  'CreateImport',
  'RequestMyManagerEmailVerification',
  // The first use of a key is stored by itself.
  'BeginStreamEpoch',
  'RenewComputerKey',
]);

/** Longer than any request runs. */
const endedAfterMs = 61_000;

/** Sends the same request again. */
export async function sendAgain(bench: Pick<WriteBench, 'passMs'>, write: ReadyWrite): Promise<HttpReply> {
  const again = await write.send(randomUUID());
  if (again.status !== 409 || again.json.code !== 'idempotency-in-progress') return again;
  // Nobody knows whether the second transaction still comes, until none can come any more.
  bench.passMs(endedAfterMs);
  return write.send(randomUUID());
}

/** They have the methods of writes, and store nothing. */
const readingIds = new Set(['AuthoriseUse', 'TryImportProfile']);

async function putProxyBefore(
  storage: TestStorage,
  stack: AsyncDisposableStack,
): Promise<{ proxied: TestStorage; proxy: MySqlProxy | undefined }> {
  const address = storageAddressOf(storage);
  if (address.engine === 'sqlite') return { proxied: storage, proxy: undefined };
  const proxy = await startProxy(address.nodes[0]);
  stack.defer(() => proxy.close());
  const url = new URL(storage.storageUrl);
  url.port = String(proxy.port);
  return { proxied: { storageUrl: url.href, release: async () => {} }, proxy };
}

function requireWrite(writes: ReturnType<typeof createAllWrites>, operationId: string) {
  const write = writes[operationId];
  assert.ok(write, `test/support/all-writes.ts has no ${operationId}`);
  return write;
}

/** A line that is held, from a computer that has used its key before. */
async function prepareLines(service: TestService, call: Call, bankId: number): Promise<RecordedWrite['send']> {
  const { code } = await service.write('sund', (db) =>
    insertTestComputer(db, { bankId, now: toMs2000(service.dependencies.clock()) }),
  );
  const { key } = (await enrol(service, code)).json;
  assert.equal((await service.call('GET', '/equipment/v1/streams', { token: key })).status, 200);
  return ({ headers }) =>
    call('POST', '/equipment/v1/streams/money', {
      token: key,
      headers: { ...headers, 'content-type': 'application/jsonl' },
      rawBody: '{"epoch":"e1","first":1,"sentAt":"2026-06-15T09:30:00Z"}\n{"n":1}\n',
    });
}

/** Their rows are written after the answer. */
const waitForImports = ({ read }: Pick<TestService, 'read'>, bankId: number): Promise<void> =>
  waitUntil('the end of the imports', async () => {
    const running = await read('sund', (db) =>
      db
        .selectFrom('imports')
        .select('import_id')
        .where('bank_id', '=', bankId)
        .where('state', 'in', ['planning', 'applying', 'undoing'])
        .execute(),
    );
    return running.length === 0;
  });

type Run = (sql: string) => Promise<Record<string, unknown>[]>;

async function readSqliteDigests(run: Run): Promise<StoredDigests> {
  const tables = await run(`select name from sqlite_schema where type = 'table' order by name`);
  const digests = new Map<string, string>();
  for (const { name } of tables) {
    // SQL writes integers of 64 bits as they are.
    const digest = createHash('sha256');
    const columns = await run(`select name from pragma_table_info('${String(name)}')`);
    const quoted = columns.map((column) => `quote("${String(column['name'])}")`).join(` || ',' || `);
    for (const row of await run(`select ${quoted} as content from "${String(name)}"`))
      digest.update(`${String(row['content'])}\n`);
    digests.set(String(name), digest.digest('hex'));
  }
  return digests;
}

async function readMysqlDigests(run: Run): Promise<StoredDigests> {
  const tables = (await run('show tables')).flatMap((row) => Object.values(row).map(String));
  const rows = await run(`checksum table ${tables.map((name) => `\`${name}\``).join()}`);
  return new Map(rows.map((row) => [String(row['Table']).replace(/^.*\./, ''), String(row['Checksum'])]));
}
