// Requests of many computers of one bank that wait for their turn are stored in one transaction. Each keeps its own answer,
// whatever becomes of the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Databases } from '../../src/database/databases.ts';
import { StorageError } from '../../src/database/errors.ts';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { createDeferred, waitUntil } from '../support/async.ts';
import type { Call, HttpReply } from '../support/call.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startInstance } from '../support/instances.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, formatBody, tagOf, type StreamLineInput, type TestEquipment } from '../support/streams.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

/** The first two have turns of their own; all others wait meanwhile. */
const computers = 10;

serviceSuite({ now: testNow }, (suite) => {
  const { service } = suite;
  const sentAt = new Date(Date.UTC(2000, 0, 1) + testNow).toISOString();
  const pay = (bankId: number, change: StreamLineInput = {}): StreamLineInput => ({
    t: 'pay',
    at: sentAt,
    key: tagOf(bankId),
    amountMinor: '100',
    currency: 'DKK',
    ...change,
  });

  async function createComputers(): Promise<{ bankId: number; all: TestEquipment[] }> {
    const first = await createEquipment(suite);
    const all = [first];
    for (let computerId = 2; computerId <= computers; computerId += 1)
      all.push(await createEquipment(suite, { bankId: first.bankId, computerId, isNewBank: false }));
    return { bankId: first.bankId, all };
  }

  type Gate = {
    readonly call: Call;
    /** How many transactions have begun to wait. */
    readonly writes: () => number;
    /** Resolves when the keys of so many requests were read, and those can wait for their turn. */
    readonly admitted: (requests: number) => Promise<void>;
    /** Lets the writes begin, or fails them. */
    readonly open: (failure?: Error) => void;
    readonly stop: () => Promise<void>;
  };

  /** A service whose writes wait until they are let through. */
  async function startGate(): Promise<Gate> {
    const opened = createDeferred();
    let [writes, reads] = [0, 0];
    let failure: Error | undefined;
    const { databases } = service.dependencies;
    const watched: Databases = {
      ...databases,
      forTenant: (tenant) => {
        const database = databases.forTenant(tenant);
        return {
          ...database,
          read: async (options, work) => {
            const result = await database.read(options, work);
            reads += 1;
            return result;
          },
          write: async (options, work) => {
            writes += 1;
            await opened.promise;
            if (failure !== undefined) throw failure;
            return database.write(options, work);
          },
        };
      },
    };
    const { call, stop } = await startInstance(service, { databases: watched });
    const before = reads;
    return {
      call,
      stop,
      writes: () => writes,
      admitted: async (requests) => {
        await waitUntil('the keys were read', () => reads - before >= requests);
        await pause(200);
      },
      open: (cause) => {
        failure = cause;
        opened.resolve();
      },
    };
  }

  const send = (
    { call }: Gate,
    { key }: TestEquipment,
    lines: readonly StreamLineInput[],
    { stream = 'money', ...header }: { stream?: string; first?: number; epoch?: string } = {},
  ): Promise<HttpReply> =>
    call('POST', `/equipment/v1/streams/${stream}`, {
      token: key,
      rawBody: formatBody(lines, { sentAt, ...header }),
      headers: { 'content-type': 'application/jsonl' },
    });

  async function assertSound(bankId: number, postings: number): Promise<void> {
    const { differences } = await service.read('sund', (db) => verifyInflow(db, grantBank(bankId)));
    assert.deepEqual(differences, []);
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
    const rows = await service.read('sund', (db) =>
      db.selectFrom('postings').select('posting_id').where('bank_id', '=', bankId).execute(),
    );
    assert.equal(rows.length, postings);
  }

  test('one that is refused, held or repeated among others changes nothing of their answers', async () => {
    const { bankId, all } = await createComputers();
    const [one, other, gapped, stale, held, repeated, refunded, ...plain] = all;
    assert.ok(one && other && gapped && stale && held && repeated && refunded);
    assert.equal((await stale.send('money', [pay(bankId)], { epoch: 'present' })).status, 200);
    assert.equal((await repeated.send('money', [pay(bankId)])).status, 200);
    const gate = await startGate();
    const sent = [
      send(gate, one, [pay(bankId)]),
      send(gate, other, [pay(bankId)]),
      send(gate, gapped, [pay(bankId)], { first: 7 }),
      send(gate, stale, [pay(bankId)], { epoch: 'former', first: 2 }),
      send(gate, held, [pay(bankId), pay(bankId, { key: 'DEADBEEF' })]),
      send(gate, repeated, [pay(bankId), pay(bankId)]),
      send(gate, refunded, [pay(bankId, { ref: 'A' }), pay(bankId, { ref: 'A', amountMinor: '5' })]),
      ...plain.map((each) => send(gate, each, [pay(bankId)])),
    ];
    await gate.admitted(sent.length);
    gate.open();
    const replies = await Promise.all(sent);
    await gate.stop();
    const ok = [200, 1, 0, []];
    assert.deepEqual(
      replies.map(({ status, json }) => [
        status,
        json.through ?? json.expected,
        json.repeated ?? json.code,
        json.held?.map(({ n, code }: { n: number; code: string }) => `${n} ${code}`) ?? json.epoch,
      ]),
      [
        ok,
        ok,
        [409, 1, 'stream-gap', 'e1'],
        [409, 2, 'unknown-epoch', 'present'],
        [200, 2, 0, ['2 unknown-key']],
        [200, 2, 1, []],
        [200, 2, 0, ['2 ref-conflict']],
        ...plain.map(() => ok),
      ],
    );
    assert.ok(gate.writes() < sent.length, `${gate.writes()} transactions for ${sent.length} requests`);
    assert.deepEqual([(await gapped.stream()).through, (await stale.stream()).through], [0, 1]);
    await assertSound(bankId, 2 + 2 + 3 + plain.length);
  });

  test('a request whose lines cannot be stored fails alone', async () => {
    const { bankId, all } = await createComputers();
    const at = 5;
    // Its first line has a posting already, which the stream does not know.
    await service.write('sund', (db) =>
      db
        .insertInto('money_lines')
        .values({
          bank_id: bankId,
          computer_id: at + 1,
          epoch_number: 0,
          n: 1,
          location_id: 0,
          unit_id: 0,
          posting_id: 99,
          ref: null,
          content: null,
          clock_offset_ms: null,
        })
        .execute(),
    );
    const gate = await startGate();
    const sent = all.map((each) => send(gate, each, [pay(bankId)]));
    await gate.admitted(sent.length);
    gate.open();
    const replies = await Promise.all(sent);
    await gate.stop();
    assert.deepEqual(
      replies.map(({ status }) => status),
      all.map((_, index) => (index === at ? 500 : 200)),
    );
    await service.write('sund', (db) =>
      db.deleteFrom('money_lines').where('bank_id', '=', bankId).where('posting_id', '=', 99).execute(),
    );
    await assertSound(bankId, computers - 1);
  });

  test('a write whose outcome is unknown is unknown for all that share it, and each can repeat its request', async () => {
    const { bankId, all } = await createComputers();
    const gate = await startGate();
    const sent = all.map((each) => send(gate, each, [pay(bankId)]));
    await gate.admitted(sent.length);
    gate.open(new StorageError('outcome-unknown'));
    const replies = await Promise.all(sent);
    await gate.stop();
    assert.deepEqual(
      replies.map(({ status, json }) => [status, json.code]),
      all.map(() => [503, 'storage-outcome-unknown']),
    );
    const again = await Promise.all(all.map((each) => each.send('money', [pay(bankId)])));
    assert.deepEqual(
      again.map(({ status, json }) => [status, json.through]),
      all.map(() => [200, 1]),
    );
    await assertSound(bankId, computers);
  });

  // Where it is no file, the test before this one stands for it: a locked table would hold up all requests.
  if (suite.engine === 'sqlite')
    test('while storage is away each request says so, and none is stored', async () => {
      const { bankId, all } = await createComputers();
      const replies: HttpReply[] = [];
      await callWithoutStorage(service, async () => {
        replies.push(...(await Promise.all(all.map((each) => each.send('money', [pay(bankId)])))));
        return replies[0] ?? assert.fail();
      });
      assert.deepEqual(
        replies.map(({ status, json }) => [status, json.code]),
        all.map(() => [503, 'storage-unavailable']),
      );
      await assertSound(bankId, 0);
    });

  test('a key that was revoked while others wait is refused with its next request, and they are not', async () => {
    const { bankId, all } = await createComputers();
    const [revoked, ...others] = all;
    assert.ok(revoked);
    const gate = await startGate();
    const sent = others.map((each) => send(gate, each, [pay(bankId)]));
    await gate.admitted(sent.length);
    await service.write('sund', (db) =>
      db
        .updateTable('computers')
        .set({ revoked_at: testNow })
        .where('bank_id', '=', bankId)
        .where('computer_id', '=', 1)
        .execute(),
    );
    assert.equal((await send(gate, revoked, [pay(bankId)])).status, 401);
    gate.open();
    assert.deepEqual(
      (await Promise.all(sent)).map(({ status }) => status),
      others.map(() => 200),
    );
    await gate.stop();
    await assertSound(bankId, others.length);
  });

  test('both streams of each computer at the same time are stored, and a second request of one is refused', async () => {
    const { bankId, all } = await createComputers();
    const gate = await startGate();
    const sent = all.flatMap((each) => [
      send(gate, each, [pay(bankId)]),
      send(gate, each, [{ t: 'alive', at: sentAt }], { stream: 'samples' }),
    ]);
    await gate.admitted(sent.length);
    const [, , another] = all;
    assert.ok(another);
    assert.equal((await send(gate, another, [pay(bankId)])).status, 429);
    gate.open();
    assert.deepEqual(
      (await Promise.all(sent)).map(({ status, json }) => [status, json.through]),
      sent.map(() => [200, 1]),
    );
    await gate.stop();
    await assertSound(bankId, computers);
  });

  test('a service that stops while requests wait answers them first', async () => {
    const { bankId, all } = await createComputers();
    const gate = await startGate();
    const sent = all.map((each) => send(gate, each, [pay(bankId)]));
    await gate.admitted(sent.length);
    const stopped = gate.stop();
    gate.open();
    assert.deepEqual(
      (await Promise.all(sent)).map(({ status, json }) => [status, json.through]),
      all.map(() => [200, 1]),
    );
    await stopped;
    await assertSound(bankId, computers);
  });
});
