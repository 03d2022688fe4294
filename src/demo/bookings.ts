// Demo bookings: two months back and two weeks ahead, by the rules of their units. The first one of a bank is charged, and
// a week ahead; those that follow show what else a booking can be.

import type { WriteDb } from '../database/dialect.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { recordBookings } from '../features/bookings/record.ts';
import { todayIn } from '../lib/time-zone.ts';
import type { Tenant } from '../tenants.ts';
import { bookableUnits, openDiary } from './booking-diary.ts';
import { listFees } from './booking-fees.ts';
import { addEveryday, addPaid, addShown, type Book } from './booking-scenes.ts';
import { dayMs } from './calendar.ts';
import type { Community } from './foundation.ts';
import { seededRandom } from './random.ts';

const deadlineMs = 60_000;

/** Fills a bank's diary; its ledger has to be there. */
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
  const fees = await listFees(db, bankId, { currency: tenant.currency, since: now - 14 * dayMs });
  const first = fees.findIndex((fee) => addPaid(book, fee));
  addShown(book);
  for (const fee of fees.slice(first + 1)) addPaid(book, fee);
  addEveryday(book);
  await recordBookings(db, bankId, book.diary.drafts, now);
}
