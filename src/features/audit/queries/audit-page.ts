// Reads entries of the audit log: pages of them, the latest ones, and all for their verification.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { textWithoutIndex, withoutIndex } from '../../../database/statements/without-index.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { AuditContext } from '../rules/audit-context.ts';
import type { AuditCriteria } from '../rules/audit-criteria.ts';

/** The position of an entry in the log: its time (MS2000), its chain, and its number in the chain. */
export type AuditPosition = readonly [at: number, chain: number, sequence: number];

export type ListedAuditEntry = Omit<Tables['audit_entries'], 'link'> & {
  /** The manager's present name; null for others. */
  readonly manager_name: string | null;
};

/**
 * Reads the keys of the page first, from an index that covers the filters. MariaDB then begins at the page, and not at
 * the newest entry.
 */
export function listAuditEntries(
  db: Db,
  criteria: AuditCriteria,
  { after, offset, limit }: PageSlice<AuditPosition>,
): Promise<ListedAuditEntry[]> {
  const keys = selectAuditEntries(db, criteria, after)
    .select(['e.chain', 'e.sequence'])
    .orderBy('e.at', 'desc')
    .orderBy('e.chain', 'desc')
    .orderBy('e.sequence', 'desc')
    .limit(limit)
    .offset(offset);
  return db
    .selectFrom(keys.as('k'))
    .innerJoin('audit_entries as e', onEqual('e', 'k', 'chain', 'sequence'))
    .leftJoin('managers as m', (join) =>
      join.onRef('m.manager_id', '=', 'e.actor_id').on('e.actor_kind', '=', 'manager'),
    )
    .select(['e.chain', 'e.sequence', 'e.at', 'e.actor_kind', 'e.actor_id', 'e.address', 'e.operation', 'e.object'])
    .select(['e.old_values', 'e.new_values', 'e.request_id', 'e.environment', 'm.name as manager_name'])
    .orderBy('e.at', 'desc')
    .orderBy('e.chain', 'desc')
    .orderBy('e.sequence', 'desc')
    .execute();
}

function selectAuditEntries(
  db: Db,
  { managerId, operation, object, from, through }: AuditCriteria,
  after: AuditPosition | undefined,
) {
  // An object has few entries, and its index covers all filters.
  const isByObject = object !== undefined;
  const kind = isByObject ? textWithoutIndex('e.actor_kind') : sql.ref<string>('e.actor_kind');
  const actorId = isByObject ? withoutIndex('e.actor_id') : sql.ref<number>('e.actor_id');
  const operationColumn = isByObject ? textWithoutIndex('e.operation') : sql.ref<string>('e.operation');
  let query = db.selectFrom('audit_entries as e');
  if (isByObject) query = query.where('e.object', '=', object);
  if (managerId !== undefined) query = query.where(kind, '=', 'manager').where(actorId, '=', managerId);
  if (operation !== undefined) query = query.where(operationColumn, '=', operation);
  if (from !== undefined) query = query.where('e.at', '>=', from);
  // There is always a bound, so that SQLite uses the index of times if there is no filter.
  const last = Math.min(through ?? Number.MAX_SAFE_INTEGER, after?.[0] ?? Number.MAX_SAFE_INTEGER);
  query = query.where('e.at', '<=', last);
  return after === undefined ? query : query.where(isListedAfter(after));
}

const isListedAfter = ([at, chain, sequence]: AuditPosition) =>
  sql<boolean>`(e.at < ${at} or e.chain < ${chain} or (e.chain = ${chain} and e.sequence < ${sequence}))`;

/** The latest time of all chains, MS2000; 0 if nothing is recorded yet. An index by time holds it. */
export async function findLatestAuditTime(db: Db): Promise<number> {
  const { latest } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.max('at').as('latest'))
    .executeTakeFirstOrThrow();
  // Null if there is no entry yet.
  return latest ?? 0;
}

/** How many entries the actor's operation has since this time, MS2000. */
export async function countEntriesSince(
  db: Db,
  { kind, id, operation }: Pick<AuditContext, 'kind' | 'id' | 'operation'>,
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('actor_kind', '=', kind)
    .where('actor_id', '=', id)
    .where('operation', '=', operation)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The head of every chain, in the order of the chains. */
export const listAuditHeads = (db: Db): Promise<Pick<Tables['audit_heads'], 'chain' | 'sequence' | 'link'>[]> =>
  db.selectFrom('audit_heads').select(['chain', 'sequence', 'link']).orderBy('chain').execute();

/** Every entry, chain by chain, in the order of the numbers, whatever they are. */
export async function* streamAuditEntries(db: Db, batchSize: number): AsyncGenerator<Tables['audit_entries'][]> {
  const query = db.selectFrom('audit_entries').selectAll().orderBy('chain').orderBy('sequence').limit(batchSize);
  let rows = await query.execute();
  for (;;) {
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    const ofSameChain = query.where('chain', '=', last.chain).where('sequence', '>', last.sequence);
    rows = await ofSameChain.execute();
    if (rows.length === 0) rows = await query.where('chain', '>', last.chain).execute();
  }
}
