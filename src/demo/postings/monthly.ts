// What comes around each period: postings that arrive late in its beginning, monthly lines, discounts and transfers to
// the rent at its end.

import type { Span } from '../calendar.ts';
import { dayMs, hourMs, minuteMs } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { randomPrice } from '../tariff.ts';
import { consumptionDraft, postingDraft } from './posting-drafts.ts';
import { existedAt, listUsableUnits, type LedgerScenario, type PlannedPosting } from './ledger-scenario.ts';

const latePostingsPerPeriod = 3;

/** Equipment that was out of reach tells days later, in the next period, what happened. */
export function generatePeriodStart(scene: LedgerScenario, { from }: Span, random: Random): PlannedPosting[] {
  const users = scene.active.filter(({ locationId }) => listUsableUnits(scene, locationId, from).length > 0);
  return Array.from({ length: latePostingsPerPeriod }, () => {
    const { residentId: userId, locationId } = random.pick(users);
    const unit = random.pick(listUsableUnits(scene, locationId, from));
    const at = from - random.int(1, 5) * dayMs - random.int(1, 600) * minuteMs;
    return consumptionDraft(scene, random, { at, userId, unit, documentId: null });
  });
}

/** The end of a closed period, in its last hour. */
export function generatePeriodEnd(scene: LedgerScenario, span: Span, random: Random): PlannedPosting[] {
  const { bank, tenant } = scene;
  // Discounts are a Danish custom, and given in kroner alone.
  const discounts =
    bank.type === 'cash' && tenant.currency === 'DKK'
      ? generateForResidents(scene, span, 4, random, createDiscountPosting)
      : [];
  const transfers = bank.type === 'rent' ? generateForResidents(scene, span, 12, random, createTransferPosting) : [];
  return [...generateForResidents(scene, span, 6, random, createMonthlyPosting), ...discounts, ...transfers];
}

type CreatePosting = (
  scene: LedgerScenario,
  when: { at: number; resident: DemoResident; index: number },
  random: Random,
) => PlannedPosting;

function generateForResidents(
  scene: LedgerScenario,
  { to }: Span,
  count: number,
  random: Random,
  make: CreatePosting,
): PlannedPosting[] {
  const there = scene.active.filter((resident) => existedAt(resident, to));
  return Array.from({ length: count }, (_, index) => {
    const at = to - hourMs + random.int(0, hourMs / 1000 - 1) * 1000 + 999;
    return make(scene, { at, resident: random.pick(there), index }, random);
  });
}

// A fee, but for one whose month was free and one who gets something back.
const createMonthlyPosting: CreatePosting = (
  scene,
  { at, resident: { residentId: userId, locationId }, index },
  random,
) => {
  const fee = randomPrice(scene.tenant.currency, 2500, 5000, random);
  const amountMinor = index === 0 ? 0n : index === 1 ? fee : -fee;
  return postingDraft(scene, { at, userId }, { kind: 'Month', locationId, amountMinor, text: 'Monthly line' });
};

const createDiscountPosting: CreatePosting = (scene, { at, resident: { residentId: userId, locationId } }, random) =>
  postingDraft(
    scene,
    { at, userId },
    { kind: 'Discount', locationId, amountMinor: randomPrice('DKK', 500, 5000, random), text: 'Discount of the month' },
  );

/** What was used is moved to the rent, so that the account is even again. */
const createTransferPosting: CreatePosting = (scene, { at, resident: { residentId: userId } }, random) =>
  postingDraft(
    scene,
    { at, userId },
    {
      kind: 'TransferToRent',
      amountMinor: randomPrice(scene.tenant.currency, 5000, 60_000, random),
      text: 'Transfer to rent',
    },
  );
