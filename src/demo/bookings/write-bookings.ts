// Demo bookings: two months back and two weeks ahead, by the rules of their units. The first one of a bank is charged, and
// a week ahead; those that follow show what else a booking can be.

import { recordBookings } from '../../features/bookings/record-bookings.ts';
import type { BookingDraft } from '../../features/bookings/rules/booking-draft.ts';
import { todayIn } from '../../lib/time-zone.ts';
import { requireCoveredBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { listBookableUnits, createBookingSchedule } from './booking-schedule.ts';
import { listStandingBookingFees, type BookingFee } from './booking-fees.ts';
import { addDailyBookings, addPaidBooking, addShowcaseBookings, type BookingScenario } from './generate-bookings.ts';
import { dayMs } from '../calendar.ts';
import type { BankWithResidents } from '../master-data.ts';
import { createSeededRandom } from '../random.ts';
import type { SeedStep } from '../seed-step.ts';

/** Fills a bank's diary; its ledger has to be there. What takes long is done before the transaction. */
export const createBookingStep = (tenant: Tenant, community: BankWithResidents, now: number): SeedStep => ({
  postings: 0,
  run: async (claim) => {
    const { bankId } = community.bank;
    const fees = await claim.read((db) =>
      listStandingBookingFees(db, bankId, { currency: tenant.currency, since: now - 14 * dayMs }),
    );
    const drafts = draftBookings(tenant, community, now, selectNewest(fees));
    const bank = requireCoveredBank(createOperatorScope(tenant.name), { bankId });
    await claim.writeStep(async (db) => {
      if (drafts.length > 0) await recordBookings(db, bank, drafts, now);
    });
  },
});

// Placing a fee takes the longer the more bookings there are; in a large account there are thousands.
const maxPlacedFees = 100;

/** The newest fees, in the order of places that they have. */
function selectNewest(fees: readonly BookingFee[]): readonly BookingFee[] {
  if (fees.length <= maxPlacedFees) return fees;
  const newestFirst = fees.toSorted((one, other) => other.posting_id - one.posting_id);
  const newest = new Set(newestFirst.slice(0, maxPlacedFees));
  return fees.filter((fee) => newest.has(fee));
}

function draftBookings(
  tenant: Tenant,
  community: BankWithResidents,
  now: number,
  fees: readonly BookingFee[],
): readonly BookingDraft[] {
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
  if (scenario.units.length === 0) return [];
  const first = fees.findIndex((fee) => addPaidBooking(scenario, fee));
  addShowcaseBookings(scenario);
  for (const fee of fees.slice(first + 1)) addPaidBooking(scenario, fee);
  addDailyBookings(scenario);
  return scenario.diary.drafts;
}
