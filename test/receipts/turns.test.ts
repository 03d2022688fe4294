// The two slots for reads of receipts: waiting requests take turns by tenant and then by manager, and wait for a
// limited time.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { request } from 'node:http';
import { afterEach, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from '../../src/database/databases.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { receiptsRoutes } from '../../src/features/receipts/routes.ts';
import { postingDraft } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { receiptsPath } from './support/receipts.ts';

const tenants = ['sund', 'fjord'] as const;
type Tenant = (typeof tenants)[number];

/** The resident with postings enough that an answer does not fit into the buffers of a connection. */
const busyResident = 1001;
const usualResident = 1002;

const maxWaitMs = { patient: 30_000, impatient: 250 } as const;

serviceSuite({ now: testNow, tenants, manager: false }, ({ service, started, onStop }) => {
  let patient: TestInstance;
  let impatient: TestInstance;
  const tokens = new Map<string, string>();
  /** Lets the reads go on that have begun, in the order in which they began. */
  let held: (() => void)[] = [];
  let isHolding = false;
  let running = 0;
  let mostRunning = 0;

  /** The databases of the service, whose reads of receipts wait in their middle while a test holds them. */
  const holdReads = (databases: Databases): Databases => ({
    ...databases,
    forTenant: (tenant) => ({
      ...databases.forTenant(tenant),
      read: async (options, work) => {
        // Sessions are read with another deadline.
        if (options.deadlineMs <= 5000) return databases.forTenant(tenant).read(options, work);
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        try {
          if (isHolding) {
            const { promise, resolve } = Promise.withResolvers<void>();
            held.push(resolve);
            await promise;
          }
          return await databases.forTenant(tenant).read(options, work);
        } finally {
          running -= 1;
        }
      },
    }),
  });

  before(async () => {
    await started;
    for (const tenant of tenants) {
      await service.write(tenant, async (db) => {
        await insertTestBank(db);
        for (const id of [busyResident, usualResident]) await insertTestResident(db, id);
        for (const name of ['accountingRetentionDays', 'surveillanceRetentionDays'])
          await setTenantSetting(db, name, '400');
        await lockAndAppendPostings(db, grantBank(1001, tenant), [
          postingDraft(testNow, { residentId: usualResident }),
        ]);
      });
      for (const name of ['first', 'second'])
        tokens.set(`${tenant} ${name}`, (await createToken(service, { tenant, livesMs: 1e12 })).token);
    }
    const databases = holdReads(service.dependencies.databases);
    patient = await startOperations(service, receiptsRoutes(maxWaitMs.patient), { databases });
    onStop(patient.stop);
    impatient = await startOperations(service, receiptsRoutes(maxWaitMs.impatient), { databases });
    onStop(impatient.stop);
    for (const instance of [patient, impatient])
      for (const manager of tokens.keys()) assert.equal((await read(manager, instance)).status, 200);
  });
  afterEach(() => {
    isHolding = false;
    for (const letGo of held) letGo();
    held = [];
    mostRunning = 0;
  });

  const tokenOf = (manager: string): string => tokens.get(manager) ?? assert.fail(manager);
  const hostOf = (manager: string): string => `api.${manager.split(' ')[0]}.localhost`;
  const pathOf = (manager: string, resident = usualResident): string =>
    receiptsPath(`${manager.split(' ')[0] as Tenant}-B1001-R${resident}`);
  const read = (manager: string, instance = patient): Promise<HttpReply> =>
    instance.call('GET', pathOf(manager), { host: hostOf(manager), token: tokenOf(manager) });

  async function until(isSo: () => boolean, what: string): Promise<void> {
    const end = performance.now() + 5000;
    while (!isSo()) {
      assert.ok(performance.now() < end, what);
      await pause(2);
    }
  }

  /** Sends a request, and returns when it has reached the queue; answers in which order the replies came. */
  async function sendInTurn(
    managers: readonly string[],
    instance = patient,
  ): Promise<{ replies: Promise<HttpReply>[]; order: string[] }> {
    const order: string[] = [];
    const replies = [];
    for (const manager of managers) {
      replies.push(
        read(manager, instance).then((reply) => {
          order.push(manager);
          return reply;
        }),
      );
      // So that they come in this order.
      await pause(10);
    }
    return { replies, order };
  }

  /** Lets one read go on after the other, each when its place was taken. */
  async function letGoOneByOne(order: readonly string[], count: number): Promise<void> {
    for (let done = 0; done < count; done += 1) {
      await until(() => held.length > 0, 'a read has begun');
      held.shift()?.();
      await until(() => order.length === done + 1, 'it was answered');
    }
  }

  test('[receipts.28] waiting requests get a slot in turns of tenants and then of managers, however many one has sent', async () => {
    isHolding = true;
    const many = Array.from({ length: 8 }, () => 'sund first');
    const { replies, order } = await sendInTurn([...many, 'sund second', 'fjord first', 'sund second', 'fjord second']);
    await letGoOneByOne(order, 12);
    assert.ok((await Promise.all(replies)).every(({ status }) => status === 200));
    assert.deepEqual(order, [
      // The two that got a slot at once.
      'sund first',
      'sund first',
      'sund first',
      'fjord first',
      'sund second',
      'fjord second',
      'sund first',
      'sund second',
      ...many.slice(0, 4),
    ]);
    assert.equal(mostRunning, 2);
  });

  test('[receipts.28] a request that waits too long is refused with 503 storage-busy and Retry-After, and later ones are served', async () => {
    isHolding = true;
    const { replies, order } = await sendInTurn(['sund first', 'sund first'], impatient);
    const startedAt = performance.now();
    const refused = await Promise.all(
      ['sund first', 'sund second', 'fjord first'].map((manager) => read(manager, impatient)),
    );
    const waitedMs = performance.now() - startedAt;
    assert.ok(waitedMs >= maxWaitMs.impatient && waitedMs < 5000, `after ${waitedMs} ms`);
    for (const { status, json, headers } of refused) {
      assert.deepEqual([status, json.code], [503, 'storage-busy']);
      assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
    }
    await letGoOneByOne(order, 2);
    for (const { status } of await Promise.all(replies)) assert.equal(status, 200);
    isHolding = false;
    assert.equal((await read('fjord first', impatient)).status, 200);
    assert.equal(mostRunning, 2);
  });

  test('[receipts.28] three connections at once are served, and none is refused', async () => {
    const readers = [...tokens.keys(), ...tokens.keys()].slice(0, 6).map(async (manager) => {
      const statuses = [];
      for (let at = 0; at < 20; at += 1) statuses.push((await read(manager)).status);
      return statuses;
    });
    assert.deepEqual(new Set((await Promise.all(readers)).flat()), new Set([200]));
    assert.equal(mostRunning, 2);
  });

  test('[receipts.28] a client that does not read its answer holds no slot', async () => {
    const manager = 'sund first';
    const text = '✓'.repeat(500);
    await service.write('sund', (db) =>
      lockAndAppendPostings(
        db,
        grantBank(1001),
        Array.from({ length: 5000 }, (_, at) =>
          postingDraft(testNow - at * 60_000, { residentId: busyResident, text, documentId: 1 }),
        ),
      ),
    );
    const connections: Socket[] = [];
    patient.app.server.on('connection', (socket: Socket) => connections.push(socket));
    const { port } = patient.app.server.address() as { port: number };
    const headers = { host: hostOf(manager), authorization: `Bearer ${tokenOf(manager)}` };
    const unread = [1, 2, 3].map(() => {
      const outgoing = request({ port, path: pathOf(manager, busyResident), headers, agent: false });
      outgoing.on('response', (response) => response.pause());
      outgoing.on('error', () => {});
      outgoing.end();
      return outgoing;
    });
    try {
      await until(
        () => connections.filter(({ writableLength }) => writableLength > 0).length === 3,
        'they do not read',
      );
      assert.equal(running, 0);
      assert.equal((await read('sund second')).status, 200);
    } finally {
      for (const outgoing of unread) outgoing.destroy();
    }
  });
});
