// Appending to the audit log: its chains stay sound with concurrent writers and rolled-back transactions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendAudit, appendAudits, type AuditRecord } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { lockAuditsOf, assertSoundAudit, readAuditEntries, recordAudit } from '../support/audit.ts';
import { runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';

const actor = createOperatorAuditContext('test', () => 1000);
const record = (object: string, bankId?: number): AuditRecord => ({
  object,
  ...(bankId === undefined ? {} : { bankId }),
  before: null,
  after: { rows: 1 },
});

serviceSuite({ replicas: 2, manager: false }, ({ service, replicaFor }) => {
  test('an entry says who did what to which object, and when', async () => {
    const { entries } = await recordAudit(service, () =>
      service.write('sund', async (db) => {
        await lockAuditsOf(db, 1);
        await appendAudit(
          db,
          { ...actor, kind: 'manager', id: 1001, address: '192.0.2.1', requestId: 'r1', environment: 'beta' },
          { object: 'sund-B1-L1-U1', bankId: 1, before: { value: '1' }, after: { value: '2' } },
        );
      }),
    );
    const [{ link: _link, ...entry } = { link: '' }, ...others] = entries;
    assert.deepEqual(others, []);
    assert.deepEqual(entry, {
      chain: 1,
      sequence: 1,
      at: 1000,
      actor_kind: 'manager',
      actor_id: 1001,
      address: '192.0.2.1',
      operation: 'test',
      object: 'sund-B1-L1-U1',
      old_values: '{"value":"1"}',
      new_values: '{"value":"2"}',
      request_id: 'r1',
      environment: 'beta',
    });
  });

  test('a transaction that is rolled back leaves no entry, and no gap', async () => {
    const refused = service.write('sund', async (db) => {
      await lockAuditsOf(db, 2);
      await appendAudit(db, actor, record('sund-B2', 2));
      throw new Error('refused');
    });
    await assert.rejects(refused, /refused/);
    await service.write('sund', async (db) => {
      await lockAuditsOf(db, 2);
      await appendAudit(db, actor, record('sund-B2', 2));
    });
    await assertSoundAudit(service);
  });

  test('a transaction can append several entries, also to several chains', async () => {
    await service.write('sund', async (db) => {
      await lockAuditsOf(db, 3);
      await appendAudit(db, actor, record('sund'));
      await appendAudit(db, actor, record('sund-B3', 3));
      await appendAudit(db, actor, record('sund-B3', 3));
    });
    await assertSoundAudit(service);
  });

  test('many entries at once are the same as one after the other, on a new chain and on one with entries', async () => {
    const records = (bankId: number, count: number): AuditRecord[] =>
      Array.from({ length: count }, (_, at) => ({
        ...record(`sund-B1-L${at + 1}`, bankId),
        before: at % 2 === 0 ? null : { name: `Location ${at}` },
      }));
    // More than one statement inserts.
    for (const count of [700, 1, 2, 0]) {
      await service.write('sund', async (db) => {
        await lockAuditsOf(db, 5);
        await appendAudits(db, actor, records(5, count));
      });
      await service.write('sund', async (db) => {
        await lockAuditsOf(db, 6);
        for (const each of records(6, count)) await appendAudit(db, actor, each);
      });
    }
    await assertSoundAudit(service);
    const entries = await readAuditEntries(service);
    const ofChain = (wanted: number) =>
      entries.filter(({ chain }) => chain === wanted).map(({ chain: _chain, link: _link, ...entry }) => entry);
    assert.equal(ofChain(5).length, 703);
    assert.deepEqual(ofChain(5), ofChain(6));
  });

  test('an entry of a bank is appended only by a write that has declared the lock of its outbox', async () => {
    const appended = service.write('sund', (db) => appendAudit(db, actor, record('sund-B8', 8)));
    await assert.rejects(appended, /has not declared the lock outbox 8/);
    await assertSoundAudit(service);
  });

  test('entries of two chains are not appended at once, and nothing is stored of them', async () => {
    const appended = service.write('sund', (db) => appendAudits(db, actor, [record('sund'), record('sund-B7', 7)]));
    await assert.rejects(appended, /several chains/);
    await assertSoundAudit(service);
  });

  test('many writers of one bank, of several and of the tenant at once leave sound chains', async () => {
    const count = 60;
    const { entries } = await recordAudit(service, () =>
      runInParallel(count, (at) =>
        replicaFor(at).write('sund', async (db) => {
          await lockAuditsOf(db, ...(at % 3 === 0 ? [4] : at % 3 === 1 ? [] : [at]));
          await appendAudit(
            db,
            actor,
            at % 3 === 0 ? record('sund-B4', 4) : record('sund', at % 3 === 1 ? undefined : at),
          );
        }),
      ),
    );
    assert.equal(entries.length, count);
    await assertSoundAudit(service);
  });
});
