// Reads what a device has refunded of a use in parts. The refund of a whole use is its reversal, and is not among them.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { kindCode } from '../rules/posting-kinds.ts';
import { formatRefundReference, refundReferencePrefix } from '../rules/posting-draft.ts';

/** A payment can have any reference: only consumption refunds a use. */
const refundKind = sql.lit(kindCode('Consumption'));

export async function sumRefunds(db: Db, { bankId }: GrantedBank, postingId: number): Promise<bigint> {
  const rows = await db
    .selectFrom('postings')
    .select('amount_minor')
    .where('bank_id', '=', bankId)
    .where('payment_reference', '=', formatRefundReference(postingId))
    .where('kind', '=', refundKind)
    .execute();
  return rows.reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n);
}

/** Sums the refunds of several postings, by their ids; those without refunds are left out. */
export async function sumRefundsOf(
  db: Db,
  { bankId }: GrantedBank,
  postingIds: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  if (postingIds.length === 0) return new Map();
  const idsByReference = new Map(postingIds.map((id) => [formatRefundReference(id), id]));
  const rows = await db
    .selectFrom('postings')
    .select(['payment_reference', 'amount_minor'])
    .where('bank_id', '=', bankId)
    .where('payment_reference', 'in', [...idsByReference.keys()])
    .where('kind', '=', refundKind)
    .execute();
  const sums = new Map<number, bigint>();
  for (const { payment_reference, amount_minor } of rows) {
    const id = idsByReference.get(payment_reference ?? '');
    if (id !== undefined) sums.set(id, (sums.get(id) ?? 0n) + BigInt(amount_minor));
  }
  return sums;
}

/**
 * `is_refunded` of the postings `p`: 1 if a part was refunded, else 0. Only what has an internal tag can be refunded, and is
 * looked for. Since most postings have no reference, MariaDB would take the index for useless, and read the whole bank for
 * each posting.
 */
export const selectIsRefunded = ({ dialect }: Db) =>
  sql<number>`case when p.internal_tag is null then 0 else exists (
    select 1 from postings as refund ${dialect.byIndex('postings_by_reference')}
    where refund.bank_id = p.bank_id
      and refund.payment_reference = concat(${sql.lit(refundReferencePrefix)}, p.posting_id)
      and refund.kind = ${refundKind}
  ) end`.as('is_refunded');
