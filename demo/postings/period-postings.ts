// Generates the postings that every period has: late ones at its beginning; monthly lines, discounts and transfers to
// the rent at its end.

import type { Span } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { randomPrice } from '../tariff.ts';
import { consumptionDraft, postingDraft } from './posting-drafts.ts';
import { existedAt, listUsableUnits, type LedgerScenario, type PlannedPosting } from './ledger-scenario.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';

const latePostingsPerPeriod = 3;

/** Equipment that was offline reports its postings days later, in the next period. */
export function generatePeriodStart(scenario: LedgerScenario, { from }: Span, random: Random): PlannedPosting[] {
  const residents = scenario.active.filter(({ locationId }) => listUsableUnits(scenario, locationId, from).length > 0);
  return Array.from({ length: latePostingsPerPeriod }, () => {
    const { residentId, locationId } = random.pick(residents);
    const unit = random.pick(listUsableUnits(scenario, locationId, from));
    const recordedAt = from - random.int(1, 5) * dayMs - random.int(1, 600) * minuteMs;
    return consumptionDraft(scenario, random, { recordedAt, residentId, unit, documentId: null });
  });
}

/** The postings in the last hour of a closed period. */
export function generatePeriodEnd(scenario: LedgerScenario, span: Span, random: Random): PlannedPosting[] {
  const { bank, tenant } = scenario;
  // Discounts are a Danish custom and exist only in kroner.
  const discounts =
    bank.type === 'cash' && tenant.currency === 'DKK'
      ? generateForResidents(scenario, span, 4, random, createDiscountPosting)
      : [];
  const transfers = bank.type === 'rent' ? generateForResidents(scenario, span, 12, random, createTransferPosting) : [];
  return [...generateForResidents(scenario, span, 6, random, createMonthlyPosting), ...discounts, ...transfers];
}

type CreatePosting = (
  scenario: LedgerScenario,
  when: { recordedAt: number; resident: DemoResident; index: number },
  random: Random,
) => PlannedPosting;

function generateForResidents(
  scenario: LedgerScenario,
  { to }: Span,
  count: number,
  random: Random,
  make: CreatePosting,
): PlannedPosting[] {
  const there = scenario.active.filter((resident) => existedAt(resident, to));
  return Array.from({ length: count }, (_, index) => {
    const recordedAt = to - hourMs + random.int(0, hourMs / 1000 - 1) * 1000 + 999;
    return make(scenario, { recordedAt, resident: random.pick(there), index }, random);
  });
}

// A fee, except for the first resident, whose month is free, and the second, who gets a refund.
const createMonthlyPosting: CreatePosting = (
  scenario,
  { recordedAt, resident: { residentId, locationId }, index },
  random,
) => {
  const fee = randomPrice(scenario.tenant.currency, 2500, 5000, random);
  const amountMinor = index === 0 ? 0n : index === 1 ? fee : -fee;
  return postingDraft(
    scenario,
    { recordedAt, residentId },
    { kind: 'Month', locationId, amountMinor, text: 'Monthly line' },
  );
};

const createDiscountPosting: CreatePosting = (scenario, { recordedAt, resident: { residentId, locationId } }, random) =>
  postingDraft(
    scenario,
    { recordedAt, residentId },
    { kind: 'Discount', locationId, amountMinor: randomPrice('DKK', 500, 5000, random), text: 'Discount of the month' },
  );

/** Moves consumption to the rent, so that the account is balanced again. */
const createTransferPosting: CreatePosting = (scenario, { recordedAt, resident: { residentId } }, random) =>
  postingDraft(
    scenario,
    { recordedAt, residentId },
    {
      kind: 'TransferToRent',
      amountMinor: randomPrice(scenario.tenant.currency, 5000, 60_000, random),
      text: 'Transfer to rent',
    },
  );
