// Restricts a selection of bookings to what the manager may see: no deleted locations, and no search by a hidden
// identity.

import { getSearchableFrom } from '../../residents/rules/identity.ts';
import type { BookingCriteria } from './booking-criteria.ts';
import type { BookingSelection } from './booking-selection.ts';

export type BookingVisibility = Pick<BookingCriteria, 'bank' | 'now' | 'identityCutoff' | 'deletedLocationIds'> & {
  /** Whether the identity of the selected user has expired. */
  readonly isExpiredUser: boolean;
};

export function toVisibleCriteria(
  selection: BookingSelection,
  { bank, now, deletedLocationIds, isExpiredUser, identityCutoff }: BookingVisibility,
): BookingCriteria {
  const { userId, from, to } = selection;
  const searchableFrom =
    userId === undefined ? from : getSearchableFrom(userId, { cutoff: identityCutoff, now }, isExpiredUser);
  const visibleFrom = Math.max(from, Math.min(searchableFrom, to));
  return {
    ...selection,
    bank,
    from: visibleFrom,
    identityCutoff: Math.min(Math.max(identityCutoff, visibleFrom), to),
    locationIds: selection.locationIds?.filter((id) => !deletedLocationIds.includes(id)),
    deletedLocationIds,
    filters: [],
    now,
  };
}
