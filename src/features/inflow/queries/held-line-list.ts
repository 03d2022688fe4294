// Reads held lines for managers, with what they name, locks one, and stores what became of it.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, requireLock, type Lock } from '../../../database/locks.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank, WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { HeldCode, HeldState } from '../rules/held-codes.ts';
import type { HeldLineRow } from './held-lines.ts';

/** A held line with the time zone of its unit's location, as it is stored; null if it names no unit. */
export type ListedHeldLineRow = HeldLineRow & { readonly time_zone: string | null };

/** The last held line of a page. */
export type HeldLinePosition = readonly [heldId: number];

type HeldLineSelection = PageSlice<HeldLinePosition> & {
  readonly state: HeldState | 'all';
  readonly code: HeldCode | undefined;
  readonly computerId: number | undefined;
};

/** The newest first. Where the grants cover some locations, only lines of units there. One row more than the limit. */
export async function listHeldLines(
  db: Db,
  { bankId, coverage }: GrantedBank,
  { state, code, computerId, after, offset, limit }: HeldLineSelection,
): Promise<ListedHeldLineRow[]> {
  const locationIds = coverage === 'all' ? undefined : [...coverage];
  if (locationIds?.length === 0) return [];
  return selectHeldLines(db, bankId)
    .$if(state !== 'all', (query) => query.where('h.state', '=', state))
    .$if(code !== undefined, (query) => query.where('h.code', '=', code!))
    .$if(computerId !== undefined, (query) => query.where('h.computer_id', '=', computerId!))
    .$if(locationIds !== undefined, (query) => query.where('h.location_id', 'in', locationIds!))
    .$if(after !== undefined, (query) => query.where('h.held_id', '<', after![0]))
    .orderBy('h.held_id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

export const findHeldLine = (db: Db, { bankId }: GrantedBank, heldId: number): Promise<ListedHeldLineRow | undefined> =>
  selectHeldLines(db, bankId).where('h.held_id', '=', heldId).executeTakeFirst();

const selectHeldLines = (db: Db, bankId: number) =>
  db
    .selectFrom('held_lines as h')
    .leftJoin('locations as l', onEqual('l', 'h', 'bank_id', 'location_id'))
    .selectAll('h')
    .select('l.time_zone')
    .where('h.bank_id', '=', bankId);

/** Every write to a held line declares it: a line is resolved once. */
export const heldLineLock = ({ bankId }: WholeGrantedBank, heldId: number): Lock<void> =>
  createLock('held-line', [bankId, heldId], {
    update: (db) =>
      db
        .updateTable('held_lines')
        .set({ revision: sql<number>`revision` })
        .where('bank_id', '=', bankId)
        .where('held_id', '=', heldId)
        .execute(),
  });

type Resolution = {
  readonly state: HeldState;
  readonly postingId: number | null;
  readonly reason: string | null;
  readonly managerId: number;
  readonly now: number;
};

/** Returns the row after the change. */
export async function resolveHeldLineRow<R extends HeldLineRow>(
  db: WriteDb,
  bank: WholeGrantedBank,
  row: R,
  { state, postingId, reason, managerId, now }: Resolution,
): Promise<R> {
  requireLock(db, heldLineLock(bank, row.held_id));
  const changed = {
    state,
    posting_id: postingId,
    reason: reason ?? row.reason,
    resolved_at: now,
    resolved_by: managerId,
    revision: row.revision + 1,
  };
  await db
    .updateTable('held_lines')
    .set(changed)
    .where('bank_id', '=', bank.bankId)
    .where('held_id', '=', row.held_id)
    .execute();
  return { ...row, ...changed };
}

export async function findComputerName(
  db: Db,
  { bankId }: GrantedBank,
  computerId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('computers')
    .select('name')
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .executeTakeFirst();
  return row?.name;
}

/** Whether a resident of the bank has this id, also a deleted one whose identity has not expired. */
export async function isKnownResident(
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('residents')
    .select('resident_id')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where(({ eb }) => eb.or([eb('expired_at', 'is', null), eb('expired_at', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}
