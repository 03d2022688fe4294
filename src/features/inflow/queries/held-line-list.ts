// Reads held lines for managers.

import type { Db } from '../../../database/db.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { HeldCode, HeldState } from '../rules/held-codes.ts';
import type { HeldLineRow } from './held-lines.ts';

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
): Promise<HeldLineRow[]> {
  const locationIds = coverage === 'all' ? undefined : [...coverage];
  if (locationIds?.length === 0) return [];
  return db
    .selectFrom('held_lines')
    .selectAll()
    .where('bank_id', '=', bankId)
    .$if(state !== 'all', (query) => query.where('state', '=', state))
    .$if(code !== undefined, (query) => query.where('code', '=', code!))
    .$if(computerId !== undefined, (query) => query.where('computer_id', '=', computerId!))
    .$if(locationIds !== undefined, (query) => query.where('location_id', 'in', locationIds!))
    .$if(after !== undefined, (query) => query.where('held_id', '<', after![0]))
    .orderBy('held_id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

export const findHeldLine = (db: Db, { bankId }: GrantedBank, heldId: number): Promise<HeldLineRow | undefined> =>
  db
    .selectFrom('held_lines')
    .selectAll()
    .where('bank_id', '=', bankId)
    .where('held_id', '=', heldId)
    .executeTakeFirst();
