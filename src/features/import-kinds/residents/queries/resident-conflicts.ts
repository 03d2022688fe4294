// Reads what keeps residents from being created, changed or deleted: who has their email addresses and keys, how many
// ids are left, and what is recorded of them.

import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import { guestId, lastResidentId } from '../../../../lib/kid.ts';
import { listedValues, partsOf } from '../../../../lib/values/parts.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';

/**
 * Email address as it is compared -> the resident of the bank who has it. One whose identity has expired does not keep
 * it from others.
 */
export async function findEmailHolders(
  db: Db,
  { bankId }: GrantedBank,
  emailKeys: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const holders = new Map<string, number>();
  for (const part of partsOf(emailKeys, listedValues)) {
    const rows = await db
      .selectFrom('residents')
      .select(['email_key', 'resident_id'])
      .where('bank_id', '=', bankId)
      .where('email_key', 'in', part)
      .where((eb) => eb.or([eb('expired_at', 'is', null), eb('expired_at', '>', now)]))
      .execute();
    for (const { email_key, resident_id } of rows) if (email_key !== null) holders.set(email_key, resident_id);
  }
  return holders;
}

/** Which of the numbers are those of keys that a resident of the tenant has, in whichever bank. */
export async function findHeldNumbers(db: Db, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const part of partsOf(numbers, listedValues)) {
    const rows = await db.selectFrom('resident_keys').select('held_number').where('held_number', 'in', part).execute();
    for (const { held_number } of rows) if (held_number !== null) held.add(held_number);
  }
  return held;
}

/** How many more residents the bank can have. */
export async function countFreeResidentIds(db: Db, { bankId }: GrantedBank): Promise<number> {
  const head = await db
    .selectFrom('resident_heads')
    .select('allocated')
    .where('bank_id', '=', bankId)
    .executeTakeFirst();
  return lastResidentId - guestId - (head?.allocated ?? 0);
}

/** Which of the residents have postings or bookings. */
export async function findUsedResidents(
  db: Db,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (residentIds.length === 0) return new Set();
  const used = await Promise.all(
    (['resident_rollups', 'bookings'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('user_id')
        .distinct()
        .where('bank_id', '=', bankId)
        .where(db.dialect.inList(sql.ref('user_id'), residentIds))
        .execute(),
    ),
  );
  return new Set(used.flat().map(({ user_id }) => user_id));
}
