// Declares GetLocationOpeningHours.

import { LocationParams } from '../places/schemas.ts';
import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { anyTab } from '../../permissions/matrix.ts';
import { getLocationOpeningHours } from './operations/get-location-opening-hours.ts';
import { OpeningHours } from './schemas.ts';

export const openingHoursRoutes = (): Operation[] => [
  defineManagerOperation({
    id: 'GetLocationOpeningHours',
    method: 'GET',
    path: '/api/v1/locations/{locationKid}/opening-hours',
    openApiDocuments: ['portal'],
    group: 'Locations and units',
    summary: 'Read when the units of a location are open',
    description:
      'Hours are local times of the location. A local time that a clock change skips is moved forward by the length of the change; if a local time is repeated, the first occurrence counts (Temporal disambiguation `compatible`). A weekday without a setting has unknown hours, and no interval is assumed to continue from it into the next day. Exceptions more than two years ahead are ignored, also for nextChange.',
    access: { tabs: anyTab, permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'], grantLevel: 'location' },
    params: LocationParams,
    response: jsonOf(OpeningHours),
    problemCodes: ['not-found'],
    deadlineMs: 10_000,
    run: ({ params }, context) => getLocationOpeningHours(context, params.locationKid),
  }),
];
