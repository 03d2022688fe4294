// Restricts a selection of bookings to what the manager may see: no deleted locations, and no search by a hidden
// identity.

import { getSearchableFrom, type IdentityVisibility } from '../../residents/rules/identity.ts';
import type { BookingCriteria } from './booking-criteria.ts';
import type { BookingSelection } from './booking-selection.ts';

type BookingVisibility = Pick<BookingCriteria, 'bank' | 'deletedLocationIds'> & {
  readonly identityVisibility: IdentityVisibility;
  /** Whether the identity of the selected user has expired. */
  readonly isExpiredResident: boolean;
};

export function toVisibleCriteria(
  selection: BookingSelection,
  { bank, deletedLocationIds, isExpiredResident, identityVisibility }: BookingVisibility,
): BookingCriteria {
  const { residentId, from, to } = selection;
  const { cutoff, now } = identityVisibility;
  const searchableFrom =
    residentId === undefined ? from : getSearchableFrom(residentId, identityVisibility, isExpiredResident);
  const visibleFrom = Math.max(from, Math.min(searchableFrom, to));
  return {
    ...selection,
    bank,
    from: visibleFrom,
    identityCutoff: Math.min(Math.max(cutoff, visibleFrom), to),
    locationIds: selection.locationIds?.filter((id) => !deletedLocationIds.includes(id)),
    deletedLocationIds,
    filters: [],
    now,
  };
}
