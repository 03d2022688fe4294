// Decides what booking a row becomes, or why it becomes none. Whether a unit can be booked is decided later, by the rules
// of bookings.

import { gdprUserId, guestId } from '../../../../lib/kid.ts';
import { isChargeOfDraft, requireValidDraft, type BookingDraft } from '../../../bookings/rules/booking-draft.ts';
import type { RowError, RowValues } from '../../import-kind.ts';
import type { BookingKnowledge } from '../queries/bookings-of-rows.ts';
import type { Decision } from '../../rules/answers.ts';
import { resolveImportTime } from '../../rules/import-time.ts';
import { fieldError, unknownReference } from '../../rules/parse-fields.ts';

export function decideBooking(values: RowValues, knowledge: BookingKnowledge, now: number): Decision<BookingDraft> {
  const { unit: unitKid = '', resident = '', posting = '' } = values;
  const unit = knowledge.places.units.get(unitKid);
  const residentId = resident === '' ? guestId : knowledge.places.residents.get(resident);
  if (unit === undefined) return { errors: [unknownReference('unit')] };
  if (residentId === undefined) return { errors: [unknownReference('resident')] };
  const times = resolveTimes(values, knowledge.places.zoneOf(unit.locationId));
  if ('errors' in times) return times;
  const { from = 0, to = 0, bookedAt = now, cancelledAt = Math.max(bookedAt, Math.min(to, now)) } = times;
  if (cancelledAt < bookedAt)
    return { errors: [fieldError('cancelledAt', 'invalid', 'must not be before the booking was made')] };
  const charge = knowledge.charges.get(posting);
  const draft: BookingDraft = {
    locationId: unit.locationId,
    unitId: unit.unitId,
    residentId: values['anonymous'] === 'true' ? gdprUserId : residentId,
    startAt: from,
    endAt: to,
    priceMinor: BigInt(values['price'] || 0),
    currency: values['currency'] || knowledge.currency,
    createdAt: bookedAt,
    ...(values['state'] === 'Cancelled' ? { cancelled: { at: cancelledAt, editorId: null } } : {}),
    ...(charge === undefined ? {} : { postingId: charge.posting_id }),
  };
  const interval = findIntervalError(draft);
  if (interval !== undefined) return { errors: [interval] };
  if (posting !== '' && !isChargeOfDraft(charge, draft))
    return {
      errors: [fieldError('posting', 'invalid', 'must be the price of this booking, and of no other')],
    };
  return { draft };
}

type Times = Partial<Record<'from' | 'to' | 'bookedAt' | 'cancelledAt', number>>;

function resolveTimes(values: RowValues, zone: string): Times | { readonly errors: readonly RowError[] } {
  const times: Times = {};
  for (const field of ['from', 'to', 'bookedAt', 'cancelledAt'] as const) {
    const spelled = values[field] ?? '';
    if (spelled === '') continue;
    const instant = resolveImportTime(spelled, zone);
    if (instant === undefined)
      return { errors: [fieldError(field, 'invalid', 'must be a time that there is at the unit')] };
    times[field] = instant;
  }
  return times;
}

function findIntervalError(draft: BookingDraft): RowError | undefined {
  try {
    requireValidDraft(draft);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fieldError('to', 'invalid', error.message);
  }
}
