// GetLocationOpeningHours.

import type { ManagerDoor } from '../../http/door.ts';
import { managerOperation, type Operation } from '../../http/operation.ts';
import { anyTab } from '../../permissions/matrix.ts';
import { readOpeningHours, type Asking } from './read.ts';
import { OpeningHoursAnswer, OpeningHoursParams } from './schemas.ts';

const askingOf = (door: ManagerDoor): Asking => {
  const { scope, tenant } = door;
  return { scope, tenant, now: door.now() };
};

export function openingHoursRoutes(): Operation[] {
  return [
    managerOperation({
      id: 'GetLocationOpeningHours',
      method: 'GET',
      path: '/api/v1/locations/{locationKid}/opening-hours',
      documents: ['portal'],
      group: 'Locations and units',
      summary: 'When the units of a location are open',
      description:
        'Hours are wall times of the location’s zone: a time that a clock change skips counts as that much later, one that it repeats as the first of the two. A day without hours is not known, and never guessed: nothing is assumed of it, nor of a span out of it into the next day. Exceptions further ahead than two years are left out, of the next change, too.',
      access: { tabs: anyTab, permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'], breadth: 'location' },
      params: OpeningHoursParams,
      answer: OpeningHoursAnswer,
      problems: ['not-found'],
      deadlineMs: 10_000,
      run: ({ params: { locationKid } }, door) => door.read((db) => readOpeningHours(db, askingOf(door), locationKid)),
    }),
  ];
}
