// One thing that somebody does in a bank, and the lines it leaves: mostly a resident uses a unit or several, sometimes
// it is a payment, a booking, a guest, a credit, or something the equipment has no word for.

import { guestUserId } from '../../lib/kid.ts';
import { minuteMs } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { randomPrice } from '../tariff.ts';
import {
  bookingFeeDraft,
  consumptionDraft,
  postingDraft,
  paymentDraft,
  createPaymentReference,
  reversalDraft,
} from './posting-drafts.ts';
import { existedAt, listUsableUnits, type LedgerScenario, type PlannedPosting } from './ledger-scenario.ts';

/** Numbers the documents of a bank, over all its periods. */
export type DocumentNumbers = { next(): number };

type ActivityContext = {
  readonly scene: LedgerScenario;
  readonly at: number;
  readonly resident: DemoResident;
  readonly random: Random;
  readonly documents: DocumentNumbers;
};

export function generateActivity(
  scene: LedgerScenario,
  at: number,
  random: Random,
  documents: DocumentNumbers,
): Iterable<PlannedPosting> {
  const resident = pickResidentAt(scene, at, random);
  const now: ActivityContext = { scene, at, resident, random, documents };
  const chance = random.next();
  if (chance < 0.83) return generateUnitUse(now);
  const { residentId: userId, locationId } = resident;
  if (chance < 0.91) return [paymentDraft(scene, random, { at, userId, locationId })];
  if (chance < 0.94) return generateBookingFee(now);
  if (chance < 0.97) return generateGuestUse(now);
  return [chance < 0.99 ? creditDraft(now) : unknownDraft(now)];
}

/** Somebody who was there at the time. */
function pickResidentAt({ residents, active }: LedgerScenario, at: number, random: Random): DemoResident {
  const anyone = random.pick(residents);
  return existedAt(anyone, at) ? anyone : random.pick(active);
}

function* generateUnitUse({ scene, at, resident, random, documents }: ActivityContext): Generator<PlannedPosting> {
  const units = listUsableUnits(scene, resident.locationId, at);
  if (units.length === 0) return;
  const { residentId: userId } = resident;
  const currency = random.chance(0.03) ? scene.otherCurrency : scene.tenant.currency;
  const documentId = pickDocumentId(random, documents);
  const lines = random.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
  for (let each = 0; each < lines; each += 1) {
    const then = at + each * random.int(1, 15) * minuteMs;
    const used = consumptionDraft(scene, random, { at: then, userId, unit: random.pick(units), currency, documentId });
    const outcome = random.next();
    if (outcome < 0.01) yield* generateReversedUse(used, then + random.int(1, 90) * minuteMs);
    else yield outcome < 0.03 ? { ...used, amountMinor: 0n, vatMinor: used.vatMinor == null ? null : 0n } : used;
  }
}

function* generateReversedUse(used: PlannedPosting, at: number): Generator<PlannedPosting> {
  yield { ...used, label: 'use' };
  yield { ...reversalDraft(used, at), reversesLabel: 'use' };
}

// Most equipment numbers its documents; some never does, or says so with a zero or a negative number.
function pickDocumentId(random: Random, documents: DocumentNumbers): number | null {
  const chance = random.next();
  if (chance < 0.04) return null;
  if (chance < 0.06) return chance < 0.05 ? 0 : -1;
  return documents.next();
}

function generateBookingFee({
  scene,
  at,
  resident: { residentId: userId, locationId },
  random,
}: ActivityContext): PlannedPosting[] {
  const share = random.next();
  const units = (random.chance(0.3) ? scene.freeBookingUnits : scene.pricedBookingUnits).get(locationId) ?? [];
  const unit = units[Math.floor(share * units.length)];
  return unit === undefined ? [] : [bookingFeeDraft(scene, random, { at, userId, unit })];
}

/** A guest pays at once, through somebody else's payment system: it manages what is posted. */
function* generateGuestUse({ scene, at, resident, random, documents }: ActivityContext): Generator<PlannedPosting> {
  const units = listUsableUnits(scene, resident.locationId, at);
  if (units.length === 0) return;
  const documentId = documents.next();
  const used = consumptionDraft(scene, random, { at, userId: guestUserId, unit: random.pick(units), documentId });
  yield { ...used, paymentKind: 'Managed', paymentReference: createPaymentReference(random) };
}

function creditDraft({ scene, at, resident, random }: ActivityContext): PlannedPosting {
  const amount = randomPrice(scene.tenant.currency, 500, 10_000, random);
  const corrected = random.chance(0.2);
  return postingDraft(
    scene,
    { at, userId: resident.residentId },
    { kind: 'Credit', amountMinor: corrected ? -amount : amount, text: corrected ? 'Correction' : 'Compensation' },
  );
}

function unknownDraft({ scene, at, resident, random }: ActivityContext): PlannedPosting {
  const amountMinor = -randomPrice(scene.tenant.currency, 100, 1000, random);
  return postingDraft(scene, { at, userId: resident.residentId }, { kind: 'Unknown', amountMinor, text: '' });
}
