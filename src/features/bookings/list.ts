// GetBankBookings: which bookings a manager asks for and may see, and what of them is told.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { effectiveRetentionDays, identityCutoff } from '../account/rules/identity.ts';
import { demandBank, demandReach } from '../places/sight.ts';
import { standingsOf } from './facts.ts';
import { readPage, type PageQuery } from './page.ts';
import type { Wanted } from './queries/selected.ts';
import type { BookingRow } from './queries/shown.ts';
import { findRetentionDays, hasExpired, listDeletedLocationIds } from './queries/view.ts';
import { allowedCommands } from './rules/commands.ts';
import { itemOf, type BookingItem, type ItemContext } from './schemas.ts';
import { selectionOf, type BookingsQuery, type Selection } from './selection.ts';

export type ListQuery = BookingsQuery & PageQuery;

export function readBookings(door: ManagerDoor, bankId: number, query: ListQuery) {
  const { scope, tenant, language } = door;
  const now = door.now();
  const reach = demandReach(scope, { bankId });
  const selection = selectionOf(query, { bankId, tenant, reach, now });
  return door.read(async (db) => {
    const [days, hidden, expired] = await Promise.all([
      findRetentionDays(db),
      listDeletedLocationIds(db, bankId),
      selection.userId === undefined ? false : hasExpired(db, bankId, selection.userId, now),
      demandBank(db, scope, { bankId }),
    ]);
    const cutoff = identityCutoff(effectiveRetentionDays(days, scope.retentionDays), now);
    const context: ItemContext = { tenant: scope.tenant, language, now, cutoff };
    const wanted = wantedOf(selection, { bankId, now, hidden, expired, cutoff });
    const page = await readPage(db, wanted, query, context);
    return { ...page, items: await itemsOf(db, door, { bankId, rows: page.items, context }) };
  });
}

type View = Pick<Wanted, 'bankId' | 'now' | 'cutoff'> & {
  /** The locations that are deleted. */
  readonly hidden: readonly number[];
  /** Whether the identity asked for has. */
  readonly expired: boolean;
};

/** What can be seen of it: nobody is found by an identity that has expired, the one that stands for those least of all. */
function wantedOf(selection: Selection, { bankId, now, hidden, expired, cutoff }: View): Wanted {
  const { userId, from, to } = selection;
  const isNobody = userId === gdprUserId || expired;
  const first = userId === undefined ? from : Math.max(from, isNobody ? to : Math.min(cutoff, to));
  return {
    ...selection,
    bankId,
    from: first,
    cutoff: Math.min(Math.max(cutoff, first), to),
    locationIds: selection.locationIds?.filter((id) => !hidden.includes(id)),
    hiddenLocationIds: hidden,
    narrowings: [],
    now,
  };
}

/** What may be done to them is asked for managers who may do it. */
async function itemsOf(
  db: Db,
  { tenant, principal }: ManagerDoor,
  { bankId, rows, context }: { bankId: number; rows: readonly BookingRow[]; context: ItemContext },
): Promise<BookingItem[]> {
  const { now } = context;
  const commanded = principal.permissions.has('Unit.Write') ? rows : [];
  const standings = await standingsOf(db, bankId, commanded, { now, tenant });
  return rows.map((row) => {
    const standing = standings.get(row.booking_id);
    return itemOf(row, context, standing === undefined ? [] : allowedCommands(standing, now));
  });
}
