// GetLocationBookingRules.

import { defineManagerOperation, type Operation } from '../../../http/operation.ts';
import { anyTab } from '../../../permissions/matrix.ts';
import { getLocationBookingRules } from '../operations/get-location-booking-rules.ts';
import { BookingRulesAnswer, BookingRulesParams } from '../booking-rules-schemas.ts';

export function bookingRulesRoutes(): Operation[] {
  return [
    defineManagerOperation({
      id: 'GetLocationBookingRules',
      method: 'GET',
      path: '/api/v1/locations/{locationKid}/booking-rules',
      documents: ['portal'],
      group: 'Bookings',
      summary: 'The rules by which the units of a location are booked',
      description:
        'What is configured, by calendar and complete policy. It depends on no resident, and says nothing about what is free. A stored value that a setting may not have counts as not given, and is warned of.',
      access: { tabs: anyTab, permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'], grantLevel: 'location' },
      params: BookingRulesParams,
      response: BookingRulesAnswer,
      problemCodes: ['not-found'],
      localised: true,
      deadlineMs: 10_000,
      run: ({ params: { locationKid } }, context) =>
        context.read((db) => getLocationBookingRules(db, context.scope, locationKid, context.language)),
    }),
  ];
}
