// What comes around each period: postings that arrive late in its beginning, monthly lines, discounts and transfers to
// the rent at its end.

import type { Span } from '../calendar.ts';
import { dayMs, hourMs, minuteMs } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { priceIn } from '../tariff.ts';
import { consumption, line } from './drafts.ts';
import { existedAt, usableUnits, type Scene, type Step } from './scene.ts';

const lateArrivals = 3;

/** Equipment that was out of reach tells days later, in the next period, what happened. */
export function atBeginning(scene: Scene, { from }: Span, random: Random): Step[] {
  const users = scene.active.filter(({ locationId }) => usableUnits(scene, locationId, from).length > 0);
  return Array.from({ length: lateArrivals }, () => {
    const { residentId: userId, locationId } = random.pick(users);
    const unit = random.pick(usableUnits(scene, locationId, from));
    const at = from - random.int(1, 5) * dayMs - random.int(1, 600) * minuteMs;
    return consumption(scene, random, { at, userId, unit, documentId: null });
  });
}

/** The end of a closed period, in its last hour. */
export function atEnd(scene: Scene, span: Span, random: Random): Step[] {
  const { bank, tenant } = scene;
  // Discounts are a Danish custom, and given in kroner alone.
  const discounts = bank.type === 'cash' && tenant.currency === 'DKK' ? some(scene, span, 4, random, discount) : [];
  const transfers = bank.type === 'rent' ? some(scene, span, 12, random, transfer) : [];
  return [...some(scene, span, 6, random, monthly), ...discounts, ...transfers];
}

type Made = (scene: Scene, when: { at: number; resident: DemoResident; index: number }, random: Random) => Step;

function some(scene: Scene, { to }: Span, count: number, random: Random, make: Made): Step[] {
  const there = scene.active.filter((resident) => existedAt(resident, to));
  return Array.from({ length: count }, (_, index) => {
    const at = to - hourMs + random.int(0, hourMs / 1000 - 1) * 1000 + 999;
    return make(scene, { at, resident: random.pick(there), index }, random);
  });
}

// A fee, but for one whose month was free and one who gets something back.
const monthly: Made = (scene, { at, resident: { residentId: userId, locationId }, index }, random) => {
  const fee = priceIn(scene.tenant.currency, 2500, 5000, random);
  const amountMinor = index === 0 ? 0n : index === 1 ? fee : -fee;
  return line(scene, { at, userId }, { kind: 'Month', locationId, amountMinor, text: 'Monthly line' });
};

const discount: Made = (scene, { at, resident: { residentId: userId, locationId } }, random) =>
  line(
    scene,
    { at, userId },
    { kind: 'Discount', locationId, amountMinor: priceIn('DKK', 500, 5000, random), text: 'Discount of the month' },
  );

/** What was used is moved to the rent, so that the account is even again. */
const transfer: Made = (scene, { at, resident: { residentId: userId } }, random) =>
  line(
    scene,
    { at, userId },
    {
      kind: 'TransferToRent',
      amountMinor: priceIn(scene.tenant.currency, 5000, 60_000, random),
      text: 'Transfer to rent',
    },
  );
