// Imports that are applied in batches: by one process at a time, gone on with after a kill, cancelled, and each row once.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { assertSoundAudit } from '../support/audit.ts';
import { createCaller } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import {
  applyPlan,
  csvOf,
  importPath,
  listRows,
  planFile,
  readImport,
  undoApplied,
  waitForImport,
} from '../support/imports.ts';
import { startServeProcess } from '../support/portal-process.ts';
import { runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';

const rowCount = 1500;
const header = ['key', 'name', 'email', 'apartment'];
const file = csvOf(
  header,
  ...Array.from({ length: rowCount }, (_, at) => [`t${at}`, `Demo ${at}`, `demo${at}@example.org`, String(at)]),
);

serviceSuite({ replicas: 2 }, ({ service, replicaFor, storage, manager, nextBankId }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  async function planNew(): Promise<{
    readonly bankId: number;
    readonly planned: Awaited<ReturnType<typeof planFile>>;
  }> {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    return { bankId, planned: await planFile(service, file, { ...manager, kind: 'residents', bankId }) };
  }
  const readResidents = (bankId: number) =>
    service.read('sund', (db) =>
      db
        .selectFrom('residents')
        .select(['resident_id', 'name', 'deleted_at'])
        .where('bank_id', '=', bankId)
        .orderBy('resident_id')
        .execute(),
    );
  const approve = (planned: { kid: string; revision: string }, call = service.call) =>
    call('POST', `${importPath(planned.kid)}/apply`, {
      ...manager,
      body: { expectedRevision: planned.revision, allowPartial: true },
    });

  test('[imports.09] a process that is killed leaves the rest to another one, and no row is done twice or left out', async () => {
    const { bankId, planned } = await planNew();
    const settings = { PORTAL_STORAGE: storage.storageUrl };
    const first = await startServeProcess(settings);
    const call = createCaller(first.port, []);
    try {
      const reply = await approve(planned, call);
      assert.equal(reply.status, 202, reply.text);
      await waitUntil('some rows are applied', async () => (await readResidents(bankId)).length > 0);
    } finally {
      await first.kill();
    }
    const { outcomes } = await readImport(service, planned.kid as string, manager);
    assert.equal((await readResidents(bankId)).length, outcomes.applied);
    // As if the lease of the process had ended by itself.
    await service.write('sund', (db) => db.updateTable('imports').set({ lease_until: 0 }).execute());
    const second = await startServeProcess(settings);
    try {
      const ended = await waitForImport(service, planned.kid as string, manager);
      assert.deepEqual([ended.state, ended.outcomes.applied], ['applied', rowCount], JSON.stringify(ended));
    } finally {
      await second.kill();
    }
    const residents = await readResidents(bankId);
    assert.equal(new Set(residents.map(({ name }) => name)).size, rowCount);
    assert.equal(residents.length, rowCount);
    await assertSoundAudit(service);
  });

  test('of approvals at the same time one begins, whichever replica they reach', async () => {
    const { bankId, planned } = await planNew();
    const replies = await runInParallel(6, (at) => approve(planned, replicaFor(at).call));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [202, 409, 409, 409, 409, 409]);
    const ended = await waitForImport(service, planned.kid as string, manager);
    assert.equal(ended.outcomes.applied, rowCount);
    assert.equal((await readResidents(bankId)).length, rowCount);
  });

  test('[imports.10] what is applied when an import is cancelled stays, and can be undone', async () => {
    const { bankId, planned } = await planNew();
    assert.equal((await approve(planned)).status, 202);
    await waitUntil('some rows are applied', async () => (await readResidents(bankId)).length > 0);
    const reply = await service.call('POST', `${importPath(planned.kid as string)}/cancel`, manager);
    assert.deepEqual([reply.status, reply.json.state], [200, 'cancelled'], reply.text);
    const { outcomes } = reply.json;
    assert.ok(outcomes.applied > 0 && outcomes.applied < rowCount, JSON.stringify(outcomes));
    const applied = await readResidents(bankId);
    assert.equal(applied.length, outcomes.applied);
    const undone = await undoApplied(service, reply.json, manager);
    assert.deepEqual([undone.state, undone.outcomes.undone], ['undone', outcomes.applied]);
    assert.ok((await readResidents(bankId)).every(({ deleted_at }) => deleted_at !== null));
  });

  test('[imports.11] all or nothing is for a number of rows that one transaction can hold', async () => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    const rows = Array.from({ length: 5001 }, (_, at) => [`t${at}`, `Demo ${at}`, '', '']);
    const planned = await planFile(service, csvOf(header, ...rows), { ...manager, kind: 'residents', bankId });
    const refused = await service.call('POST', `${importPath(planned.kid as string)}/apply`, {
      ...manager,
      body: { expectedRevision: planned.revision },
    });
    assert.deepEqual([refused.status, refused.json.reason], [422, 'too-many-rows'], refused.text);
    const smaller = await planFile(service, csvOf(header, ...rows.slice(1)), { ...manager, kind: 'residents', bankId });
    assert.equal((await applyPlan(service, smaller, manager)).outcomes.applied, 5000);
    const rowsOfPlan = await listRows(service, smaller.kid as string, manager, 'outcome=applied&limit=2');
    assert.equal(rowsOfPlan[0].line, 2);
  });
});
