// GetBankIcons, GetBankLocations, GetLocationIcons, GetLocationUnits and GetUnitIcons.

import { managerOperation, type Access, type Operation } from '../../http/operation.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import { readBankIcons, readBankLocations, readLocationIcons, type Asking } from './overviews.ts';
import {
  BankIconsAnswer,
  BankIconsQuery,
  BankLocationsAnswer,
  BankLocationsQuery,
  BankParams,
  LocationIconsAnswer,
  LocationIconsQuery,
  LocationParams,
  LocationUnitsAnswer,
  LocationUnitsQuery,
  UnitIconsAnswer,
  UnitIconsQuery,
} from './schemas.ts';
import { readLocationUnits, readUnitIcons } from './unit-overviews.ts';

const reading = (...permissions: Permission[]): Access => ({ tabs: anyTab, permissions, breadth: 'location' });
const banks = reading('Bank.Read');
const locations = reading('Bank.Read', 'Location.Read');
const units = reading('Bank.Read', 'Location.Read', 'Unit.Read');

const common = { method: 'GET', documents: ['portal'], group: 'Locations and units', deadlineMs: 10_000 } as const;
const disabledToo = 'What is disabled is there, too; what is deleted is not.';

const askingOf = (door: ManagerDoor): Asking => {
  const { scope, tenant, language } = door;
  return { scope, tenant, language, now: door.now() };
};

export function placesRoutes(): Operation[] {
  return [
    managerOperation({
      ...common,
      id: 'GetBankIcons',
      path: '/api/v1/banks/icons',
      summary: 'List the banks in sight with how many of their units are online',
      description: `Any grant on a bank shows it, and its units are counted as far as the grants reach. ${disabledToo}`,
      access: banks,
      query: BankIconsQuery,
      answer: BankIconsAnswer,
      localised: true,
      run: ({ query }, door) => door.read((db) => readBankIcons(db, askingOf(door), query)),
    }),
    managerOperation({
      ...common,
      id: 'GetBankLocations',
      path: '/api/v1/banks/{bankKid}/locations',
      summary: 'List the locations of a bank with the types of their units',
      description: `Location grants limit the list. ${disabledToo}`,
      access: locations,
      params: BankParams,
      query: BankLocationsQuery,
      answer: BankLocationsAnswer,
      problems: ['not-found'],
      localised: true,
      run: ({ params: { bankKid }, query }, door) =>
        door.read((db) => readBankLocations(db, askingOf(door), bankKid, query)),
    }),
    managerOperation({
      ...common,
      id: 'GetLocationIcons',
      path: '/api/v1/banks/{bankKid}/location-icons',
      summary: 'List the icons of a bank’s locations with how many of their units are online',
      description: 'The locations of GetBankLocations.',
      access: locations,
      params: BankParams,
      query: LocationIconsQuery,
      answer: LocationIconsAnswer,
      problems: ['not-found'],
      run: ({ params: { bankKid }, query }, door) =>
        door.read((db) => readLocationIcons(db, askingOf(door), bankKid, query)),
    }),
    managerOperation({
      ...common,
      id: 'GetLocationUnits',
      path: '/api/v1/locations/{locationKid}/units',
      summary: 'List the units of a location',
      description: `Whether they are online is told by GetUnitIcons. ${disabledToo}`,
      access: units,
      params: LocationParams,
      query: LocationUnitsQuery,
      answer: LocationUnitsAnswer,
      problems: ['not-found'],
      localised: true,
      run: ({ params: { locationKid }, query }, door) =>
        door.read((db) => readLocationUnits(db, askingOf(door), locationKid, query)),
    }),
    managerOperation({
      ...common,
      id: 'GetUnitIcons',
      path: '/api/v1/locations/{locationKid}/unit-icons',
      summary: 'List the icons of a location’s units and whether they are online',
      description:
        'The units of GetLocationUnits. A unit is offline when it has been silent for an hour in a cash bank, for a day in another, and unknown after 100 days.',
      access: units,
      params: LocationParams,
      query: UnitIconsQuery,
      answer: UnitIconsAnswer,
      problems: ['not-found'],
      localised: true,
      run: ({ params: { locationKid }, query }, door) =>
        door.read((db) => readUnitIcons(db, askingOf(door), locationKid, query)),
    }),
  ];
}
