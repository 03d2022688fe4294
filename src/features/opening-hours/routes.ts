// GetLocationOpeningHours.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { anyTab } from '../../permissions/matrix.ts';
import { getLocationOpeningHours, type OpeningHoursViewer } from './operations/get-location-opening-hours.ts';
import { OpeningHoursAnswer, OpeningHoursParams } from './schemas.ts';

const createOpeningHoursViewer = (context: ManagerContext): OpeningHoursViewer => {
  const { scope, tenant } = context;
  return { scope, tenant, now: context.now };
};

export function openingHoursRoutes(): Operation[] {
  return [
    defineManagerOperation({
      id: 'GetLocationOpeningHours',
      method: 'GET',
      path: '/api/v1/locations/{locationKid}/opening-hours',
      documents: ['portal'],
      group: 'Locations and units',
      summary: 'When the units of a location are open',
      description:
        'Hours are wall times of the location’s zone: a time that a clock change skips counts as that much later, one that it repeats as the first of the two. A day without hours is not known, and never guessed: nothing is assumed of it, nor of a span out of it into the next day. Exceptions further ahead than two years are left out, of the next change, too.',
      access: { tabs: anyTab, permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'], grantLevel: 'location' },
      params: OpeningHoursParams,
      response: OpeningHoursAnswer,
      problemCodes: ['not-found'],
      deadlineMs: 10_000,
      run: ({ params: { locationKid } }, context) =>
        context.read((db) => getLocationOpeningHours(db, createOpeningHoursViewer(context), locationKid)),
    }),
  ];
}
