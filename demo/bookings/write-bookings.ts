// Writes demo bookings from two months back to two weeks ahead, by the rules of their units. The first booking of a
// bank is charged and a week ahead; the next ones show other kinds of bookings.

import { recordBookings } from '../../src/features/bookings/record-bookings.ts';
import type { BookingDraft } from '../../src/features/bookings/rules/booking-draft.ts';
import { todayIn } from '../../src/lib/time/time-zone.ts';
import { requireCoveredBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import type { Tenant } from '../../src/tenants.ts';
import { listBookableUnits, createBookingSchedule } from './booking-schedule.ts';
import { listStandingBookingFees, type BookingFee } from './booking-fees.ts';
import { addDailyBookings, addPaidBooking, addSpecialBookings, type BookingScenario } from './generate-bookings.ts';
import type { BankWithResidents } from '../master-data.ts';
import { createSeededRandom } from '../random.ts';
import type { SeedStep } from '../seed-step.ts';
import { dayMs } from '../../src/lib/time/durations.ts';

/** Writes a bank's bookings; its ledger must exist. The slow part is done before the transaction. */
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

// Finding a time for a fee takes longer with every booking, and a large account has thousands of fees.
const maxPlacedFees = 100;

/** The newest fees, in their given order. */
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
    schedule: createBookingSchedule(tenant, now),
  };
  if (scenario.units.length === 0) return [];
  const first = fees.findIndex((fee) => addPaidBooking(scenario, fee));
  addSpecialBookings(scenario);
  for (const fee of fees.slice(first + 1)) addPaidBooking(scenario, fee);
  addDailyBookings(scenario);
  return scenario.schedule.drafts;
}
