// Generates the postings of one activity in a bank: mostly a resident's use of one or more units, sometimes a payment,
// a booking, a guest's use, a credit, or a posting of an unknown kind.

import { guestId } from '../../src/lib/kid.ts';
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
import { minuteMs } from '../../src/lib/time/durations.ts';

/** Numbers the documents of a bank across all its periods. */
export type DocumentNumbers = { next(): number };

type ActivityContext = {
  readonly scenario: LedgerScenario;
  readonly usedAt: number;
  readonly resident: DemoResident;
  readonly random: Random;
  readonly documents: DocumentNumbers;
};

export function generateActivity(
  scenario: LedgerScenario,
  usedAt: number,
  random: Random,
  documents: DocumentNumbers,
): Iterable<PlannedPosting> {
  const resident = pickResidentAt(scenario, usedAt, random);
  const now: ActivityContext = { scenario, usedAt, resident, random, documents };
  const chance = random.next();
  if (chance < 0.83) return generateUnitUse(now);
  const { residentId, locationId } = resident;
  if (chance < 0.91) return [paymentDraft(scenario, random, { recordedAt: usedAt, residentId, locationId })];
  if (chance < 0.94) return generateBookingFee(now);
  if (chance < 0.97) return generateGuestUse(now);
  return [chance < 0.99 ? creditDraft(now) : unknownDraft(now)];
}

/** A resident who was not deleted yet at that time. */
function pickResidentAt({ residents, active }: LedgerScenario, usedAt: number, random: Random): DemoResident {
  const anyone = random.pick(residents);
  return existedAt(anyone, usedAt) ? anyone : random.pick(active);
}

function* generateUnitUse({
  scenario,
  usedAt,
  resident,
  random,
  documents,
}: ActivityContext): Generator<PlannedPosting> {
  const units = listUsableUnits(scenario, resident.locationId, usedAt);
  if (units.length === 0) return;
  const { residentId } = resident;
  const currency = random.chance(0.03) ? scenario.otherCurrency : scenario.tenant.currency;
  const documentId = pickDocumentId(random, documents);
  const lines = random.pick([1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
  for (let each = 0; each < lines; each += 1) {
    const then = usedAt + each * random.int(1, 15) * minuteMs;
    const used = consumptionDraft(scenario, random, {
      recordedAt: then,
      residentId,
      unit: random.pick(units),
      currency,
      documentId,
    });
    const outcome = random.next();
    if (outcome < 0.01) yield* generateReversedUse(used, then + random.int(1, 90) * minuteMs);
    else yield outcome < 0.03 ? { ...used, amountMinor: 0n, vatMinor: used.vatMinor == null ? null : 0n } : used;
  }
}

function* generateReversedUse(used: PlannedPosting, reversedAt: number): Generator<PlannedPosting> {
  yield { ...used, label: 'use' };
  yield { ...reversalDraft(used, reversedAt), reversesLabel: 'use' };
}

// Most equipment numbers its documents. Some sends no number, zero or a negative number.
function pickDocumentId(random: Random, documents: DocumentNumbers): number | null {
  const chance = random.next();
  if (chance < 0.04) return null;
  if (chance < 0.06) return chance < 0.05 ? 0 : -1;
  return documents.next();
}

function generateBookingFee({
  scenario,
  usedAt,
  resident: { residentId, locationId },
  random,
}: ActivityContext): PlannedPosting[] {
  const share = random.next();
  const units = (random.chance(0.3) ? scenario.freeBookingUnits : scenario.pricedBookingUnits).get(locationId) ?? [];
  const unit = units[Math.floor(share * units.length)];
  return unit === undefined ? [] : [bookingFeeDraft(scenario, random, { recordedAt: usedAt, residentId, unit })];
}

/** A guest pays at once through an external payment system, which manages the postings. */
function* generateGuestUse({
  scenario,
  usedAt,
  resident,
  random,
  documents,
}: ActivityContext): Generator<PlannedPosting> {
  const units = listUsableUnits(scenario, resident.locationId, usedAt);
  if (units.length === 0) return;
  const documentId = documents.next();
  const used = consumptionDraft(scenario, random, {
    recordedAt: usedAt,
    residentId: guestId,
    unit: random.pick(units),
    documentId,
  });
  yield { ...used, paymentKind: 'Managed', paymentReference: createPaymentReference(random) };
}

function creditDraft({ scenario, usedAt, resident, random }: ActivityContext): PlannedPosting {
  const amount = randomPrice(scenario.tenant.currency, 500, 10_000, random);
  const corrected = random.chance(0.2);
  return postingDraft(
    scenario,
    { recordedAt: usedAt, residentId: resident.residentId },
    { kind: 'Credit', amountMinor: corrected ? -amount : amount, text: corrected ? 'Correction' : 'Compensation' },
  );
}

function unknownDraft({ scenario, usedAt, resident, random }: ActivityContext): PlannedPosting {
  const amountMinor = -randomPrice(scenario.tenant.currency, 100, 1000, random);
  return postingDraft(
    scenario,
    { recordedAt: usedAt, residentId: resident.residentId },
    { kind: 'Unknown', amountMinor, text: '' },
  );
}
