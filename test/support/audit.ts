// Reads the audit log as it is stored, and checks its chains by hand.

import assert from 'node:assert/strict';
import type { LockableDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import type { Tables } from '../../src/database/tables.ts';
import { tenantAuditLock } from '../../src/features/audit/queries/append-audit.ts';
import { computeAuditLink, initialAuditLink } from '../../src/features/audit/rules/hash-chain.ts';
import { outboxLock } from '../../src/features/outbox/queries/outbox.ts';
import type { TestService } from './service.ts';

/** Takes the locks of a write that appends to the audit logs of the tenant and of these banks. */
export const lockAuditsOf = (db: LockableDb, ...bankIds: readonly number[]): Promise<unknown> =>
  takeLocks(db, [tenantAuditLock(), ...bankIds.map((bankId) => outboxLock({ bankId }))]);

export type AuditEntryRow = Tables['audit_entries'];

/** All entries, chain by chain. */
export const readAuditEntries = ({ read }: Pick<TestService, 'read'>, tenant = 'sund'): Promise<AuditEntryRow[]> =>
  read(tenant, (db) => db.selectFrom('audit_entries').selectAll().orderBy('chain').orderBy('sequence').execute());

/** The entries that are appended while `work` runs, and its result. */
export async function recordAudit<T>(
  service: Pick<TestService, 'read'>,
  work: () => Promise<T>,
): Promise<{ result: T; entries: AuditEntryRow[] }> {
  const before = new Set((await readAuditEntries(service)).map(({ link }) => link));
  const result = await work();
  return { result, entries: (await readAuditEntries(service)).filter(({ link }) => !before.has(link)) };
}

/** Every chain begins with 1, has no gap, links each entry to the one before, and ends at its head. */
export async function assertSoundAudit(service: Pick<TestService, 'read'>): Promise<void> {
  const entries = await readAuditEntries(service);
  const heads = await service.read('sund', (db) =>
    db.selectFrom('audit_heads').select(['chain', 'sequence', 'link']).orderBy('chain').execute(),
  );
  const byChain = Map.groupBy(entries, ({ chain }) => chain);
  assert.deepEqual(
    heads.map(({ chain }) => chain),
    [...byChain.keys()],
  );
  for (const head of heads) {
    const ofChain = byChain.get(head.chain) ?? [];
    let last = initialAuditLink;
    for (const [at, { link, ...entry }] of ofChain.entries()) {
      assert.equal(entry.sequence, at + 1);
      assert.equal(link, computeAuditLink(last, entry));
      last = link;
    }
    assert.deepEqual(head, { chain: head.chain, sequence: ofChain.length, link: last });
  }
}

/** Empties the audit log, so that it takes entries with earlier times again. */
export const clearAudit = ({ write }: Pick<TestService, 'write'>, tenant = 'sund'): Promise<void> =>
  write(tenant, async (db) => {
    await db.deleteFrom('audit_entries').execute();
    await db.deleteFrom('audit_heads').execute();
  });
