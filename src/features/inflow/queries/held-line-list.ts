// Reads held lines for managers.

import type { Db } from '../../../database/db.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
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
    .leftJoin('locations as l', (join) =>
      join.onRef('l.bank_id', '=', 'h.bank_id').onRef('l.location_id', '=', 'h.location_id'),
    )
    .selectAll('h')
    .select('l.time_zone')
    .where('h.bank_id', '=', bankId);
