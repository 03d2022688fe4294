// Exports the bookings of a bank as an import reads them, oldest id first. What a list shows without an identity is
// anonymous here too.

import { formatEventKid } from '../../../lib/kid.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized } from '../../residents/rules/identity.ts';
import { selectStoredBookings } from './queries/bookings-of-rows.ts';
import { toBookingValues } from './rules/booking-values.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { readExportPages } from '../rules/read-export-pages.ts';
import type { ImportKind } from '../import-kind.ts';

const batchSize = 1000;

export const exportBookings: ImportKind['exportRows'] = async function* exportBookings(db, target, viewer) {
  const { bank, now } = target;
  const bankKid = bankKidOf(target);
  const visibility =
    viewer === undefined ? undefined : getIdentityVisibility(await readRetentionSetting(db), viewer, viewer.now);
  const readBatch = (after: number) =>
    selectStoredBookings(db, bank.bankId)
      .leftJoin('residents as r', (join) =>
        join.onRef('r.bank_id', '=', 'b.bank_id').onRef('r.resident_id', '=', 'b.user_id'),
      )
      .select(['r.expired_at as resident_expired_at', 'r.deleted_at as resident_deleted_at'])
      .where('b.bank_id', '=', bank.bankId)
      .where('b.booking_id', '>', after)
      .orderBy('b.booking_id')
      .limit(batchSize)
      .execute();
  type BatchRow = Awaited<ReturnType<typeof readBatch>>[number];
  for await (const rows of readExportPages<BatchRow>((last) => readBatch(last?.booking_id ?? 0))) {
    // One that is not over cannot be made for somebody who was deleted.
    const made = rows.filter(({ end_at, resident_deleted_at }) => resident_deleted_at === null || end_at <= now);
    yield made.map((row) => {
      const isHidden = visibility !== undefined && isAnonymized({ ...row, recorded_at: row.start_at }, visibility);
      return {
        objectKid: formatEventKid(bankKid, row.first_event_id),
        values: toBookingValues(row, bankKid, isHidden),
      };
    });
  }
};
