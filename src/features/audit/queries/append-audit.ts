// Appends to the audit log. The chain's head is updated first, so that writers of one chain run one after another, also on
// different nodes. The order of locks: a write that belongs to no bank locks the chain of the tenant before all else
// (`lockAuditChain`, or by appending first); one of a bank locks the rows of the bank, and appends last.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { StorageError } from '../../../database/errors.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { AuditActor } from '../rules/audit-actor.ts';
import { computeAuditLink, initialLink, tenantChain } from '../rules/chain.ts';
import { formatRecordedValues, type RecordedValues } from '../rules/recorded-values.ts';

export type AuditRecord = {
  /** The KID of what is changed or exported. */
  readonly object: string;
  /** Undefined for what belongs to no bank. */
  readonly bankId?: number;
  /** The fields that change, with their values; null where there is nothing before, or nothing afterwards. */
  readonly before: RecordedValues | null;
  readonly after: RecordedValues | null;
};

/**
 * The first statement of a transaction that belongs to no bank, and appends once it has read and changed its rows. Had it
 * read before, and others appended since, the server would roll it back: again and again beside a stream of logins.
 */
export async function lockAuditChain(db: WriteDb): Promise<void> {
  await runPrepared(db, 'lock audit chain', { chain: tenantChain }, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ writes: sql<number>`writes + 1` })
      .where('chain', '=', bind<number>('chain')),
  );
}

/** Appends one entry, in the transaction of what it records. */
export async function appendAudit(
  db: WriteDb,
  actor: AuditActor,
  { object, bankId: chain = tenantChain, before, after }: AuditRecord,
): Promise<void> {
  const { sequence, link: previousLink } = await lockAuditHead(db, chain);
  const entry = {
    chain,
    sequence,
    at: actor.now,
    actor_kind: actor.kind,
    actor_id: actor.id,
    address: actor.address,
    operation: actor.operation,
    object,
    old_values: formatRecordedValues(object, before),
    new_values: formatRecordedValues(object, after),
    request_id: actor.requestId,
    environment: actor.environment,
  };
  const row = { ...entry, link: computeAuditLink(previousLink, entry) };
  // Sent together; the engine runs them in this order.
  await Promise.all([insertEntry(db, row), updateHeadLink(db, row)]);
}

type AuditHead = Pick<Tables['audit_heads'], 'sequence' | 'link'>;

/** Counts the new entry. Returns its number, and the link of the entry before. */
async function lockAuditHead(db: WriteDb, chain: number): Promise<AuditHead> {
  const incremented = runPrepared(db, 'increment audit head', { chain }, (bind) =>
    db
      .updateTable('audit_heads')
      .set({ sequence: sql<number>`sequence + 1` })
      .where('chain', '=', bind<number>('chain')),
  );
  const found = runPrepared(db, 'audit head', { chain }, (bind) =>
    db.selectFrom('audit_heads').select(['sequence', 'link']).where('chain', '=', bind<number>('chain')),
  );
  // Sent together; the engine runs them in this order.
  const [, [head]] = await Promise.all([incremented, found]);
  return head ?? insertAuditHead(db, chain);
}

async function insertAuditHead(db: WriteDb, chain: number): Promise<AuditHead> {
  const head = { sequence: 1, link: initialLink };
  try {
    await db
      .insertInto('audit_heads')
      .values({ chain, ...head })
      .execute();
    return head;
  } catch (error) {
    // Another transaction has begun the chain: this one stores nothing, and runs again after it.
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
