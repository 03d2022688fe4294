// Reads the whole audit log for its verification, in batches and without any filter.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';

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
