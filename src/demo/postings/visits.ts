// One thing that somebody does in a bank, and the lines it leaves: mostly a resident uses a unit or several, sometimes
// it is a payment, a booking, a guest, a credit, or something the equipment has no word for.

import { guestUserId } from '../../lib/kid.ts';
import { minuteMs } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { priceIn } from '../tariff.ts';
import { booking, consumption, line, payment, reference, reversalOf } from './drafts.ts';
import { existedAt, usableUnits, type Scene, type Step } from './scene.ts';

/** Numbers the documents of a bank, over all its periods. */
export type Documents = { next(): number };

type Visit = {
  readonly scene: Scene;
  readonly at: number;
  readonly resident: DemoResident;
  readonly random: Random;
  readonly documents: Documents;
};

export function visit(scene: Scene, at: number, random: Random, documents: Documents): Iterable<Step> {
  const resident = residentAt(scene, at, random);
  const now: Visit = { scene, at, resident, random, documents };
  const chance = random.next();
  if (chance < 0.83) return useOfUnits(now);
  const { residentId: userId, locationId } = resident;
  if (chance < 0.91) return [payment(scene, random, { at, userId, locationId })];
  if (chance < 0.94) return bookingOf(now);
  if (chance < 0.97) return useOfGuest(now);
  return [chance < 0.99 ? credit(now) : unknown(now)];
}

/** Somebody who was there at the time. */
function residentAt({ residents, active }: Scene, at: number, random: Random): DemoResident {
  const anyone = random.pick(residents);
  return existedAt(anyone, at) ? anyone : random.pick(active);
}

function* useOfUnits({ scene, at, resident, random, documents }: Visit): Generator<Step> {
  const units = usableUnits(scene, resident.locationId, at);
  if (units.length === 0) return;
  const { residentId: userId } = resident;
  const currency = random.chance(0.03) ? scene.otherCurrency : scene.tenant.currency;
  const documentId = documentIdOf(random, documents);
  const lines = random.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
  for (let each = 0; each < lines; each += 1) {
    const then = at + each * random.int(1, 15) * minuteMs;
    const used = consumption(scene, random, { at: then, userId, unit: random.pick(units), currency, documentId });
    const fate = random.next();
    if (fate < 0.01) yield* takenBack(used, then + random.int(1, 90) * minuteMs);
    else yield fate < 0.03 ? { ...used, amountMinor: 0n, vatMinor: used.vatMinor == null ? null : 0n } : used;
  }
}

function* takenBack(used: Step, at: number): Generator<Step> {
  yield { ...used, mark: 'use' };
  yield { ...reversalOf(used, at), reverses: 'use' };
}

// Most equipment numbers its documents; some never does, or says so with a zero or a negative number.
function documentIdOf(random: Random, documents: Documents): number | null {
  const chance = random.next();
  if (chance < 0.04) return null;
  if (chance < 0.06) return chance < 0.05 ? 0 : -1;
  return documents.next();
}

function bookingOf({ scene, at, resident: { residentId: userId, locationId }, random }: Visit): Step[] {
  const share = random.next();
  const units = (random.chance(0.3) ? scene.free : scene.priced).get(locationId) ?? [];
  const unit = units[Math.floor(share * units.length)];
  return unit === undefined ? [] : [booking(scene, random, { at, userId, unit })];
}

/** A guest pays at once, through somebody else's payment system: it manages what is posted. */
function* useOfGuest({ scene, at, resident, random, documents }: Visit): Generator<Step> {
  const units = usableUnits(scene, resident.locationId, at);
  if (units.length === 0) return;
  const documentId = documents.next();
  const used = consumption(scene, random, { at, userId: guestUserId, unit: random.pick(units), documentId });
  yield { ...used, paymentKind: 'Managed', paymentReference: reference(random) };
}

function credit({ scene, at, resident, random }: Visit): Step {
  const amount = priceIn(scene.tenant.currency, 500, 10_000, random);
  const corrected = random.chance(0.2);
  return line(
    scene,
    { at, userId: resident.residentId },
    { kind: 'Credit', amountMinor: corrected ? -amount : amount, text: corrected ? 'Correction' : 'Compensation' },
  );
}

function unknown({ scene, at, resident, random }: Visit): Step {
  const amountMinor = -priceIn(scene.tenant.currency, 100, 1000, random);
  return line(scene, { at, userId: resident.residentId }, { kind: 'Unknown', amountMinor, text: '' });
}
