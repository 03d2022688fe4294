// Appends to the audit log. Writers lock the head of the chain while they append to it.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import { createLock, takeLateLock, type Lock } from '../../../database/locks.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { decideRecordingTime } from '../../../lib/recording-time.ts';
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

/** Appends one entry, in the transaction of the change that it records. */
export const appendAudit = (db: WriteDb, actor: AuditContext, record: AuditRecord): Promise<void> =>
  takeLateLock(db, auditEntryLock(actor, record));

/** Locks the chain and appends in one step, for a write without another lock. */
export function auditEntryLock(actor: AuditContext, record: AuditRecord): Lock<void, 'tenant-audit' | 'bank-audit'> {
  const { bankId: chain = tenantChain } = record;
  const isTenant = chain === tenantChain;
  return createLock(isTenant ? 'tenant-audit' : 'bank-audit', isTenant ? [] : [chain], {
    update: (db) => incrementSequence(db, chain),
    read: (db) => insertEntryAfterHead(db, actor, record),
  });
}

type AuditHead = Pick<Tables['audit_heads'], 'sequence' | 'link'>;

async function incrementSequence(db: WriteDb, chain: number): Promise<void> {
  await runPrepared(db, 'increment audit head', { chain }, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ sequence: sql<number>`sequence + 1` })
      .where('chain', '=', bind<number>('chain')),
  );
}

/**
 * The head has the number of the new entry, and the link of the previous entry. The log is listed by time, so an entry
 * never has an earlier time than those of the tenant that it can see. Throws 503 `clock-behind`.
 */
async function insertEntryAfterHead(
  db: WriteDb,
  context: AuditContext,
  { object, bankId: chain = tenantChain, before, after }: AuditRecord,
): Promise<void> {
  const { latest, head } = await readAuditHead(db, chain);
  const at = decideRecordingTime(latest, { now: context.now, currentTime: context.readClock() });
  const { sequence, link: previousLink } = head ?? (await insertAuditHead(db, chain));
  const entry = {
    chain,
    sequence,
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
  const row = { ...entry, link: computeAuditLink(previousLink, entry) };
  // Sent together; the engine runs them in this order.
  await Promise.all([insertEntry(db, row), updateHeadLink(db, row)]);
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

async function insertAuditHead(db: WriteDb, chain: number): Promise<AuditHead> {
  const head = { sequence: 1, link: initialAuditLink };
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

async function insertEntry(db: WriteDb, row: Tables['audit_entries']): Promise<void> {
  await runPrepared(db, 'insert audit entry', row, (bind) =>
    db.insertInto('audit_entries').values({
      chain: bind<number>('chain'),
      sequence: bind<number>('sequence'),
      at: bind<number>('at'),
      actor_kind: bind<string>('actor_kind'),
      actor_id: bind<number | null>('actor_id'),
      address: bind<string | null>('address'),
      operation: bind<string>('operation'),
      object: bind<string>('object'),
      old_values: bind<string | null>('old_values'),
      new_values: bind<string | null>('new_values'),
      request_id: bind<string | null>('request_id'),
      environment: bind<string | null>('environment'),
      link: bind<string>('link'),
    }),
  );
}

async function updateHeadLink(db: WriteDb, row: Tables['audit_entries']): Promise<void> {
  await runPrepared(db, 'set link of audit head', row, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ link: bind<string>('link') })
      .where('chain', '=', bind<number>('chain')),
  );
}
