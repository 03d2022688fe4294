// Reversals that come together: of one entry exactly one succeeds, whichever replica each attempt meets; and a process
// that is killed among them leaves whole reversals and none else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closePeriod, recordPostings, type PostingDraft } from '../../src/features/account/ledger.ts';
import { serveProcess } from '../http/process.ts';
import { draft } from '../support/account.ts';
import { caller } from '../support/call.ts';
import { makeBank, makeResident, makeToken, setTenantSetting } from '../support/factories.ts';
import { proofOf } from '../support/ledger-proof.ts';
import { instantOf, ms2000Of } from '../support/oracle.ts';
import { inParallel, outcomesOf, startReplicas, type Replicas } from '../support/races.ts';
import { reversalPath, reverse, storedPostings, storedSyncs } from '../support/reversal.ts';
import { onBothEngines, type Service } from '../support/service.ts';

const now = ms2000Of('2026-06-15T09:30:00Z');
const washes = (count: number): PostingDraft[] =>
  Array.from({ length: count }, (_, at) => draft(now - at, { internalTag: at + 1, amountMinor: BigInt(-at - 1) }));

onBothEngines((engine) => {
  let replicas: Replicas;
  let service: Service;
  let token: string;
  before(async () => {
    replicas = await startReplicas(engine, { clock: () => instantOf(now).epochMilliseconds });
    ({ service } = replicas);
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '40000'));
    for (const bankId of [1001, 1002, 1003, 1004])
      await service.write('sund', async (db) => {
        await makeBank(db, { bankId });
        await makeResident(db, 1001, { bankId });
      });
    ({ token } = await makeToken(service));
  });
  after(() => replicas.stop());

  const fill = (bankId: number, drafts: PostingDraft[]): Promise<number> =>
    service.write('sund', (db) => recordPostings(db, bankId, drafts));

  test(`[reversal.09, reversal.13] of a thousand attempts at one entry from two replicas one is 200 and the rest are 409, and one posting is appended (${engine})`, async () => {
    await fill(1001, washes(3));
    const replies = await inParallel(1000, (at) => reverse(replicas.of(at), 2, { token }));
    assert.deepEqual(outcomesOf(replies), { '200': 1, '409 already-reversed': 999 });
    const stored = await storedPostings(service);
    assert.deepEqual(
      stored.map(({ reversal_of }) => reversal_of),
      [null, null, null, 2],
    );
    assert.equal((await storedSyncs(service)).length, 1);
    assert.deepEqual(await proofOf(service, 1001), []);
  });

  test(`[reversal.13] two hundred entries reversed at once from two replicas are all reversed, each once, while periods close (${engine})`, async () => {
    const bankId = 1002;
    await fill(bankId, washes(200));
    const closings = [1, 2, 3].map((at) =>
      replicas.other.write('sund', (db) => closePeriod(db, bankId, now + at, now + at)),
    );
    const replies = await inParallel(200, (at) => reverse(replicas.of(at), at + 1, { token, bankId }));
    await Promise.all(closings);
    assert.deepEqual(outcomesOf(replies), { '200': 200 });
    assert.equal(new Set(replies.map(({ json }) => json.kid)).size, 200);
    const stored = await storedPostings(service, bankId);
    const sum = stored.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
    assert.deepEqual([stored.length, sum], [400, 0n]);
    assert.deepEqual(
      (await storedSyncs(service, bankId)).map(({ subject_id }) => subject_id),
      Array.from({ length: 200 }, (_, at) => 201 + at),
      'queued in the order in which they were appended',
    );
    assert.deepEqual(await proofOf(service, bankId), []);
  });

  test(`[reversal.13] a dry run at the same time says what was so at its moment, and disturbs nobody (${engine})`, async () => {
    const bankId = 1003;
    await fill(bankId, washes(1));
    const all = await inParallel(60, (at) =>
      reverse(replicas.of(at), 1, { token, bankId, query: at % 3 === 0 ? '' : '?dryRun=true' }),
    );
    const real = outcomesOf(all.filter((_, at) => at % 3 === 0));
    assert.deepEqual(real, { '200': 1, '409 already-reversed': 19 });
    const dry = all.filter((_, at) => at % 3 !== 0);
    for (const { status, json } of dry)
      assert.ok(status === 200 ? json.kid === 'sund-B1003-X2' : json.code === 'already-reversed');
    assert.equal((await storedPostings(service, bankId)).length, 2);
  });

  test(`[reversal.06, reversal.08] a process killed among reversals leaves each of them whole or not there, and all that it had confirmed (${engine})`, async () => {
    const bankId = 1004;
    const count = 300;
    await fill(bankId, washes(count));
    const { token: lasting } = await makeToken(service, { livesMs: 20 * 365 * 86_400_000 });
    const confirmed = new Set<number>();
    for (const killedAfter of [5, 40, 90]) {
      const child = await serveProcess({
        PORTAL_STORAGE: replicas.storage.setting,
        PORTAL_LOG_LEVEL: 'silent',
        PORTAL_RATE_LIMIT: 'off',
      });
      const call = caller(child.port, []);
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
      assert.deepEqual(await proofOf(service, bankId), []);
      const reversed = (await storedPostings(service, bankId)).flatMap(({ reversal_of }) => reversal_of ?? []);
      assert.deepEqual(
        [...confirmed].filter((id) => !reversed.includes(id)),
        [],
      );
      assert.equal(reversed.length, new Set(reversed).size);
      assert.equal((await storedSyncs(service, bankId)).length, reversed.length);
      // What was done and never confirmed is found done, and told so.
      for (const id of reversed) confirmed.add(id);
    }
    assert.ok(confirmed.size >= 100 && confirmed.size < count, `killed among them: ${confirmed.size}`);
    const rest = await inParallel(count, (at) => reverse(replicas.of(at), at + 1, { token, bankId }));
    assert.deepEqual(outcomesOf(rest), { '200': count - confirmed.size, '409 already-reversed': confirmed.size });
    assert.deepEqual(await proofOf(service, bankId), []);
  });
});
