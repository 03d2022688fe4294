// Reads the reservation fees in a demo bank's account that were paid lately and not refunded. Each gets a booking.

import type { Db } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { kindCode } from '../../src/features/account/rules/posting-kinds.ts';

export type BookingFee = Pick<
  Tables['postings'],
  'posting_id' | 'location_id' | 'unit_id' | 'user_id' | 'recorded_at' | 'amount_minor'
>;

/** The fees that were not refunded, by location and unit. */
export async function listStandingBookingFees(
  db: Db,
  bankId: number,
  { currency, since }: { readonly currency: string; readonly since: number },
): Promise<BookingFee[]> {
  const feesAndRefunds = await db
    .selectFrom('postings')
    .select(['posting_id', 'location_id', 'unit_id', 'user_id', 'recorded_at', 'amount_minor'])
    .where('bank_id', '=', bankId)
    .where('recorded_at', '>=', since)
    .where('kind', '=', kindCode('Booking'))
    .where('currency', '=', currency)
    .where('amount_minor', '<>', 0)
    .orderBy('location_id')
    .orderBy('unit_id')
    .orderBy('user_id')
    .orderBy('posting_id')
    .execute();
  return withoutRefunded(feesAndRefunds);
}

/** The fees after which the resident got no refund for the unit. */
function withoutRefunded(moved: readonly BookingFee[]): BookingFee[] {
  const refunds = moved.filter(({ amount_minor }) => amount_minor > 0);
  const isRefunded = (fee: BookingFee): boolean =>
    refunds.some(
      (refund) =>
        refund.posting_id > fee.posting_id &&
        refund.user_id === fee.user_id &&
        refund.location_id === fee.location_id &&
        refund.unit_id === fee.unit_id,
    );
  return moved.filter((line) => line.amount_minor < 0 && !isRefunded(line));
}
