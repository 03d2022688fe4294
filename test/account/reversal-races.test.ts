// Concurrent reversals: of one entry exactly one succeeds, through whichever replica; and a process that is killed
// leaves only whole reversals.

import assert from 'node:assert/strict';
import { grantBank } from '../support/granted-banks.ts';
import { before, test } from 'node:test';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { startServeProcess } from '../support/portal-process.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createCaller } from '../support/call.ts';
import { insertTestBank, insertTestResident, createToken, setTenantSetting } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { startInstance } from '../support/instances.ts';
import { interfereWithWrites } from '../support/interference.ts';
import { runInParallel, countOutcomes } from '../support/replicas.ts';
import { readLedgerRows, reversalPath, reverseEntry, readPostings, readDeviceSync } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const washes = (count: number): PostingDraft[] =>
  Array.from({ length: count }, (_, at) =>
    postingDraft(testNow - at, { internalTag: at + 1, amountMinor: BigInt(-at - 1) }),
  );

serviceSuite({ now: testNow, replicas: 2 }, ({ service, replicaFor, storage, manager, clock }) => {
  before(async () => {
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '40000'));
    for (const bankId of [1001, 1002, 1003, 1004, 1005])
      await service.write('sund', async (db) => {
        await insertTestBank(db, { bankId });
        await insertTestResident(db, 1001, { bankId });
      });
  });

  const fill = (bankId: number, drafts: PostingDraft[]): Promise<number> =>
    service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), drafts));

  test('[reversal.09, reversal.13] of a thousand attempts at one entry from two replicas one is 200 and the rest are 409, and one posting is appended', async () => {
    await fill(1001, washes(3));
    const replies = await runInParallel(1000, (at) => reverseEntry(replicaFor(at), 2, manager));
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 already-reversed': 999 });
    for (const { status, json } of replies)
      assert.equal(status === 200 ? json.kid : json.reversedByKid, 'sund-B1001-X4');
    const stored = await readPostings(service);
    assert.deepEqual(
      stored.map(({ reversal_of }) => reversal_of),
      [null, null, null, 2],
    );
    assert.equal((await readDeviceSync(service)).length, 1);
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });

  test('[reversal.09, reversal.13] an entry that another writer reverses without the lock during a reversal is not reversed twice', async () => {
    const bankId = 1005;
    await fill(bankId, washes(2));
    const reversedBy = 700;
    const { databases } = service.dependencies;
    const interfered = interfereWithWrites(databases, /^insert into .postings. /, async (db) => {
      const original = await db
        .selectFrom('postings')
        .selectAll()
        .where('bank_id', '=', bankId)
        .where('posting_id', '=', 1)
        .executeTakeFirstOrThrow();
      await db
        .insertInto('postings')
        .values({ ...original, posting_id: reversedBy, reversal_of: 1 })
        .execute();
    });
    const instance = await startInstance(service, { databases: interfered.databases });
    const rowsBefore = await readLedgerRows(service, bankId);
    const reply = await reverseEntry(instance, 1, { token: manager.token, bankId });
    await instance.stop();
    assert.deepEqual([reply.status, reply.json.code], [409, 'already-reversed'], reply.text);
    assert.equal(reply.json.reversedByKid, `sund-B${bankId}-X${reversedBy}`);
    assert.equal(interfered.runs(), 2, 'the reversal ran again, and found the other');
    assert.deepEqual(await readLedgerRows(service, bankId), rowsBefore);
  });

  test('[reversal.13] two hundred entries reversed at once from two replicas are all reversed, each once, while periods close', async () => {
    const bankId = 1002;
    await fill(bankId, washes(200));
    const closings = [1, 2, 3].map((at) =>
      replicaFor(1).write('sund', (db) => lockAndClosePeriod(db, grantBank(bankId), testNow + at, testNow + at)),
    );
    const replies = await runInParallel(200, (at) =>
      reverseEntry(replicaFor(at), at + 1, { token: manager.token, bankId }),
    );
    await Promise.all(closings);
    assert.deepEqual(countOutcomes(replies), { '200': 200 });
    assert.equal(new Set(replies.map(({ json }) => json.kid)).size, 200);
    const stored = await readPostings(service, bankId);
    const sum = stored.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
    assert.deepEqual([stored.length, sum], [400, 0n]);
    assert.deepEqual(
      (await readDeviceSync(service, bankId)).map(({ subject_id }) => subject_id),
      Array.from({ length: 200 }, (_, at) => 201 + at),
      'queued in the order in which they were appended',
    );
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
  });

  test('[reversal.13] a concurrent dry run answers for the state at its moment, and does not delay reversals', async () => {
    const bankId = 1003;
    await fill(bankId, washes(1));
    const all = await runInParallel(60, (at) =>
      reverseEntry(replicaFor(at), 1, { token: manager.token, bankId, query: at % 3 === 0 ? '' : '?dryRun=true' }),
    );
    const real = countOutcomes(all.filter((_, at) => at % 3 === 0));
    assert.deepEqual(real, { '200': 1, '409 already-reversed': 19 });
    const dry = all.filter((_, at) => at % 3 !== 0);
    for (const { status, json } of dry)
      assert.ok(status === 200 ? json.kid === null : json.reversedByKid === 'sund-B1003-X2');
    assert.equal((await readPostings(service, bankId)).length, 2);
  });

  test('[reversal.06, reversal.08] a process killed during reversals leaves each of them whole or absent, and all acknowledged ones', async () => {
    const bankId = 1004;
    const count = 300;
    await fill(bankId, washes(count));
    const { token: lasting } = await createToken(service, { livesMs: 20 * 365 * dayMs });
    const confirmed = new Set<number>();
    for (const killedAfter of [5, 40, 90]) {
      const child = await startServeProcess({
        PORTAL_STORAGE: storage.storageUrl,
        PORTAL_LOG_LEVEL: 'silent',
        PORTAL_RATE_LIMIT: 'off',
      });
      const call = createCaller(child.port, []);
      let answered = 0;
      const left = Array.from({ length: count }, (_, at) => at + 1).filter((id) => !confirmed.has(id));
      await Promise.allSettled(
        left.map(async (id) => {
          const { status } = await call('POST', reversalPath(id, bankId), { token: lasting });
          if (status === 200) confirmed.add(id);
          answered += 1;
          if (answered === killedAfter) void child.kill();
        }),
      );
      await child.ended;
      assert.deepEqual(await verifyBankLedger(service, bankId), []);
      const reversed = (await readPostings(service, bankId)).flatMap(({ reversal_of }) => reversal_of ?? []);
      assert.deepEqual(
        [...confirmed].filter((id) => !reversed.includes(id)),
        [],
      );
      assert.equal(reversed.length, new Set(reversed).size);
      assert.equal((await readDeviceSync(service, bankId)).length, reversed.length);
      // A reversal that was done but never acknowledged is found, and reported as done.
      for (const id of reversed) confirmed.add(id);
    }
    assert.ok(confirmed.size >= 100 && confirmed.size < count, `killed among them: ${confirmed.size}`);
    // The killed process had the machine's clock.
    clock.now = toMs2000(Date.now());
    const rest = await runInParallel(count, (at) =>
      reverseEntry(replicaFor(at), at + 1, { token: manager.token, bankId }),
    );
    assert.deepEqual(countOutcomes(rest), { '200': count - confirmed.size, '409 already-reversed': confirmed.size });
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
  });
});
