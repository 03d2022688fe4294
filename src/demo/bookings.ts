// Demo bookings: two months back and two weeks ahead, by the rules of their units. The first one of a bank is charged and
// still ahead. Charges are reservation fees that the ledger holds already: whoever paid one has a booking ahead for it.

import type { Db, WriteDb } from '../database/dialect.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { kindCode } from '../features/account/rules/kinds.ts';
import { openBookings } from '../features/bookings/queries/heads.ts';
import { recordBookings } from '../features/bookings/record.ts';
import { todayIn } from '../lib/time-zone.ts';
import type { Tenant } from '../tenants.ts';
import { bookableUnits, openDiary } from './booking-diary.ts';
import { addEveryday, addPaid, addShown, type Book, type Fee } from './booking-scenes.ts';
import { dayMs } from './calendar.ts';
import type { Community } from './foundation.ts';
import { seededRandom } from './random.ts';

const deadlineMs = 60_000;

/** Opens a bank for bookings and fills it; its ledger has to be there. */
export async function writeBookings(
  database: TenantDatabase,
  tenant: Tenant,
  community: Community,
  now: number,
): Promise<void> {
  await database.write({ deadlineMs }, (db) => write(db, tenant, community, now));
}

async function write(db: WriteDb, tenant: Tenant, community: Community, now: number): Promise<void> {
  const { bankId } = community.bank;
  await openBookings(db, bankId);
  const book: Book = {
    units: bookableUnits(community.bank, tenant),
    residents: community.residents,
    today: todayIn(tenant.timeZone, now),
    timeZone: tenant.timeZone,
    now,
    random: seededRandom(`bookings/${tenant.name}/${bankId}`),
    diary: openDiary(tenant, now),
  };
  if (book.units.length === 0) return;
  addPaid(book, await listFees(db, bankId, { currency: tenant.currency, since: now - 14 * dayMs }));
  addShown(book);
  addEveryday(book);
  await recordBookings(db, bankId, book.diary.drafts, now);
}

/** Reservation fees that were paid lately, by place. */
function listFees(db: Db, bankId: number, { currency, since }: { currency: string; since: number }): Promise<Fee[]> {
  return db
    .selectFrom('postings')
    .select(['posting_id', 'location_id', 'unit_id', 'user_id', 'recorded_at', 'amount_minor'])
    .where('bank_id', '=', bankId)
    .where('recorded_at', '>=', since)
    .where('kind', '=', kindCode('Booking'))
    .where('currency', '=', currency)
    .where('amount_minor', '<', 0)
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('user_id')
    .orderBy('posting_id')
    .execute();
}
