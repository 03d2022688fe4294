// One page of bookings, cut out in the database. Names are told in the reader's language, and of no identity that has
// expired, which no database knows: to search or sort by them, the names of the selection are read, each once and with its
// number of bookings, and then the page.

import type { Db } from '../../database/dialect.ts';
import type { Direction } from '../../http/listing.ts';
import { framed } from '../../lib/lists.ts';
import { cutsOf, foundByNames, unitStretches, userStretches, type Stretch } from './by-names.ts';
import { listCut, listUnits, listUsers } from './queries/names.ts';
import type { Wanted } from './queries/selected.ts';
import { listBookings, listByStart, type BookingRow } from './queries/shown.ts';
import type { ItemContext } from './schemas.ts';

export type PageQuery = {
  readonly filter?: string;
  readonly sort: 'start' | 'unit' | 'user';
  readonly direction: Direction;
  readonly offset: number;
  readonly limit: number;
};

type PageOfRows = ReturnType<typeof framed<BookingRow>>;

export async function readPage(db: Db, wanted: Wanted, query: PageQuery, context: ItemContext): Promise<PageOfRows> {
  const { filter = '' } = query;
  const found = filter === '' ? wanted : await narrowed(db, wanted, filter, context);
  if (query.sort === 'start') return framed(await listByStart(db, found, query), query);
  const cuts = cutsOf(await stretchesOf(db, found, query, context), query);
  return framed(await listBookings(db, wanted.bankId, await listCut(db, found, cuts)), query);
}

/** To what a filter finds by the names of all that is wanted. */
async function narrowed(db: Db, wanted: Wanted, filter: string, context: ItemContext): Promise<Wanted> {
  const [units, users] = await Promise.all([listUnits(db, wanted), listUsers(db, wanted)]);
  return { ...wanted, narrowings: [foundByNames(filter, { units, users }, context)] };
}

async function stretchesOf(
  db: Db,
  found: Wanted,
  { sort, direction }: PageQuery,
  context: ItemContext,
): Promise<Stretch[]> {
  return sort === 'unit'
    ? unitStretches(await listUnits(db, found), direction, context)
    : userStretches(await listUsers(db, found), direction, context);
}
