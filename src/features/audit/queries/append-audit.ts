// Appends to the audit log. Writers lock the head of the chain while they append to it.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { createLock, requireLock, takeLateLock, type Lock } from '../../../database/locks.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import type { AuditContext } from '../rules/audit-context.ts';
import { computeAuditLink, initialAuditLink, tenantChain } from '../rules/hash-chain.ts';
import { formatRecordedValues, type RecordedValues } from '../rules/recorded-values.ts';

export type AuditRecord = {
  /** The KID of what is changed or exported. */
  readonly object: string;
  /** Undefined if the object belongs to no bank. */
  readonly bankId?: number;
  /** The fields that change, with their values; null if the object does not exist before or afterwards. */
  readonly before: RecordedValues | null;
  readonly after: RecordedValues | null;
};

/**
 * Every write that belongs to no bank declares this lock, and appends after it has read and changed its rows. If it
 * read before it locked, the server would roll it back whenever others appended meanwhile, as during a series of
 * logins.
 */
export const tenantAuditLock = (): Lock<void> =>
  createLock('tenant-audit', [], {
    update: (db) =>
      runPrepared(db, 'lock audit chain', { chain: tenantChain }, (bind) =>
        db
          .updateTable('audit_heads')
          .set({ writes: sql<number>`writes + 1` })
          .where('chain', '=', bind<number>('chain')),
      ),
  });

/**
 * Appends one entry, in the transaction of the change that it records. A write of a bank has declared the lock of its
 * outbox: all writes of a bank begin with it, so that none reads what another one is about to change.
 */
export const appendAudit = (db: WriteDb, actor: AuditContext, record: AuditRecord): Promise<void> =>
  appendAudits(db, actor, [record]);

/** Appends entries of one chain, in their order, at the cost of one. All of them have the same time. */
export async function appendAudits(db: WriteDb, actor: AuditContext, records: readonly AuditRecord[]): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  if (records.some(({ bankId }) => bankId !== first.bankId)) throw new Error('the entries are of several chains');
  if (first.bankId !== undefined) requireLock(db, outboxLock({ bankId: first.bankId }));
  await takeLateLock(db, createEntriesLock(actor, first.bankId, records));
}

/** Locks the chain and appends in one step, for a write without another lock. */
export const auditEntryLock = (actor: AuditContext, record: AuditRecord): Lock<void, AuditLockName> =>
  createEntriesLock(actor, record.bankId, [record]);

type AuditLockName = 'tenant-audit' | 'bank-audit';

function createEntriesLock(
  actor: AuditContext,
  chain: number = tenantChain,
  records: readonly AuditRecord[],
): Lock<void, AuditLockName> {
  const isTenant = chain === tenantChain;
  return createLock(isTenant ? 'tenant-audit' : 'bank-audit', isTenant ? [] : [chain], {
    update: (db) => addToSequence(db, chain, records.length),
    read: (db) => insertEntriesAfterHead(db, actor, chain, records),
  });
}

type AuditHead = Pick<Tables['audit_heads'], 'sequence' | 'link'>;

async function addToSequence(db: WriteDb, chain: number, count: number): Promise<void> {
  await runPrepared(db, 'add to sequence of audit head', { chain, count }, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ sequence: sql<number>`sequence + ${bind<number>('count')}` })
      .where('chain', '=', bind<number>('chain')),
  );
}

/**
 * The head has the number of the last new entry, and the link of the previous entry. The log is listed by time, so an
 * entry never has an earlier time than those of the tenant that it can see. Throws 503 `clock-behind`.
 */
async function insertEntriesAfterHead(
  db: WriteDb,
  context: AuditContext,
  chain: number,
  records: readonly AuditRecord[],
): Promise<void> {
  const { latest, head } = await readAuditHead(db, chain);
  const at = decideRecordingTime(latest, { now: context.now, currentTime: context.readClock() });
  const { sequence: lastSequence, link: previousLink } = head ?? (await insertAuditHead(db, chain, records.length));
  const firstSequence = lastSequence - records.length + 1;
  let link = previousLink;
  const rows = records.map(({ object, before, after }, index) => {
    const entry = {
      chain,
      sequence: firstSequence + index,
      at,
      actor_kind: context.kind,
      actor_id: context.id,
      address: context.address,
      operation: context.operation,
      object,
      old_values: formatRecordedValues(object, before),
      new_values: formatRecordedValues(object, after),
      request_id: context.requestId,
      environment: context.environment,
    };
    link = computeAuditLink(link, entry);
    return { ...entry, link };
  });
  // Sent together; the engine runs them in this order.
  await Promise.all([insertRows(db, 'audit_entries', rows), updateHeadLink(db, { chain, link })]);
}

/** The head, if the chain has begun, and the latest time of all chains; 0 if nothing is recorded yet. */
async function readAuditHead(
  db: WriteDb,
  chain: number,
): Promise<{ readonly latest: number; readonly head: AuditHead | undefined }> {
  const [row] = await runPrepared(db, 'audit head', { chain }, (bind) =>
    db
      .selectFrom(
        db
          .selectFrom('audit_entries')
          .select(({ fn }) => fn.max('at').as('latest'))
          .as('times'),
      )
      .leftJoin('audit_heads as h', (join) => join.on('h.chain', '=', bind<number>('chain')))
      .select(['times.latest', 'h.sequence', 'h.link']),
  );
  const { latest = null, sequence = null, link = null } = row ?? {};
  return { latest: latest ?? 0, head: sequence === null || link === null ? undefined : { sequence, link } };
}

async function insertAuditHead(db: WriteDb, chain: number, sequence: number): Promise<AuditHead> {
  const head = { sequence, link: initialAuditLink };
  try {
    await db
      .insertInto('audit_heads')
      .values({ chain, ...head })
      .execute();
    return head;
  } catch (error) {
    // Another transaction has begun the chain, so this one stores nothing and runs again.
    throw db.dialect.classifyError(error) === 'duplicate' ? new StorageError('rolled-back', error) : error;
  }
}

async function updateHeadLink(db: WriteDb, head: { readonly chain: number } & Pick<AuditHead, 'link'>): Promise<void> {
  await runPrepared(db, 'set link of audit head', head, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ link: bind<string>('link') })
      .where('chain', '=', bind<number>('chain')),
  );
}
