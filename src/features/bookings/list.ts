// GetBankBookings: one page of a bank's bookings. By start it is cut out in the database. Names are told in the reader's
// language, and of no identity that has expired, which no database knows: searched or sorted by them, the selection's ids
// and names are read as a whole, and then the page's rows; what that costs is what the selection holds.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { Direction } from '../../http/listing.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { framed, pageOf } from '../../lib/lists.ts';
import { effectiveRetentionDays, identityCutoff } from '../account/rules/identity.ts';
import { demandBank, demandReach } from '../places/sight.ts';
import { foundByNames } from './by-names.ts';
import { standingsOf } from './facts.ts';
import { listBookings, listByStart, listNames, type BookingRow, type Wanted } from './queries/bookings.ts';
import { findRetentionDays, hasExpired, listDeletedLocationIds } from './queries/view.ts';
import { allowedCommands } from './rules/commands.ts';
import { itemOf, type ItemContext } from './schemas.ts';
import { selectionOf, type BookingsQuery, type Selection } from './selection.ts';

export type ListQuery = BookingsQuery & {
  readonly filter?: string;
  readonly sort: 'start' | 'unit' | 'user';
  readonly direction: Direction;
  readonly offset: number;
  readonly limit: number;
};

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
    const wanted = { ...seen(selection, hidden), ...ofUser(selection, expired, cutoff), bankId, now };
    const page = await readPage(db, wanted, query, context);
    const rows = mayCommand(door) ? page.items : [];
    const standings = await standingsOf(db, bankId, rows, { now });
    const items = page.items.map((row) => {
      const standing = standings.get(row.booking_id);
      return itemOf(row, context, standing === undefined ? [] : allowedCommands(standing, now));
    });
    return { ...page, items };
  });
}

const mayCommand = ({ principal }: ManagerDoor): boolean => principal.permissions.has('Unit.Write');

/** Without the locations that are deleted. */
function seen(
  selection: Selection,
  hiddenLocationIds: readonly number[],
): Selection & Pick<Wanted, 'hiddenLocationIds'> {
  const locationIds = selection.locationIds?.filter((id) => !hiddenLocationIds.includes(id));
  return { ...selection, locationIds, hiddenLocationIds };
}

/** Nobody is found by an identity that has expired, the one that stands for all those least of all. */
function ofUser({ userId, from, to }: Selection, expired: boolean, cutoff: number): Pick<Selection, 'from' | 'to'> {
  if (userId === undefined) return { from, to };
  const isNobody = expired || userId === gdprUserId || cutoff >= to;
  return { from: isNobody ? to : Math.max(from, cutoff), to };
}

type PageOfRows = ReturnType<typeof framed<BookingRow>>;

async function readPage(db: Db, wanted: Wanted, query: ListQuery, context: ItemContext): Promise<PageOfRows> {
  const { filter = '', sort } = query;
  if (filter === '' && sort === 'start') return framed(await listByStart(db, wanted, query), query);
  const found = pageOf(foundByNames(await listNames(db, wanted), query, context), query);
  return { ...found, items: await listBookings(db, wanted.bankId, found.items) };
}
