// Demo bookings: two months back and two weeks ahead, by the rules of their units. The first one of a bank is charged, and
// a week ahead; those that follow show what else a booking can be.

import type { WriteDb } from '../../database/db.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { recordBookings } from '../../features/bookings/record-bookings.ts';
import { todayIn } from '../../lib/time-zone.ts';
import { requireCoveredBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { listBookableUnits, createBookingSchedule } from './booking-schedule.ts';
import { listStandingBookingFees } from './booking-fees.ts';
import { addDailyBookings, addPaidBooking, addShowcaseBookings, type BookingScenario } from './generate-bookings.ts';
import { dayMs } from '../calendar.ts';
import type { BankWithResidents } from '../master-data.ts';
import { createSeededRandom } from '../random.ts';

const deadlineMs = 60_000;

/** Fills a bank's diary; its ledger has to be there. */
export async function writeDemoBookings(
  database: TenantDatabase,
  tenant: Tenant,
  community: BankWithResidents,
  now: number,
): Promise<void> {
  await database.write({ deadlineMs }, (db) => writeBankBookings(db, tenant, community, now));
}

async function writeBankBookings(
  db: WriteDb,
  tenant: Tenant,
  community: BankWithResidents,
  now: number,
): Promise<void> {
  const { bankId } = community.bank;
  const scenario: BookingScenario = {
    units: listBookableUnits(community.bank, tenant),
    residents: community.residents,
    today: todayIn(tenant.timeZone, now),
    timeZone: tenant.timeZone,
    now,
    random: createSeededRandom(`bookings/${tenant.name}/${bankId}`),
    diary: createBookingSchedule(tenant, now),
  };
  if (scenario.units.length === 0) return;
  const fees = await listStandingBookingFees(db, bankId, { currency: tenant.currency, since: now - 14 * dayMs });
  const first = fees.findIndex((fee) => addPaidBooking(scenario, fee));
  addShowcaseBookings(scenario);
  for (const fee of fees.slice(first + 1)) addPaidBooking(scenario, fee);
  addDailyBookings(scenario);
  const bank = requireCoveredBank(createOperatorScope(tenant.name), { bankId });
  await recordBookings(db, bank, scenario.diary.drafts, now);
}
