// GetBankIcons, GetBankLocations, GetLocationIcons, GetLocationUnits and GetUnitIcons.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operation.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import {
  getBankIcons,
  getBankLocations,
  getLocationIcons,
  type PlacesViewer,
} from './operations/get-bank-locations.ts';
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
import { getLocationUnits, getUnitIcons } from './operations/get-location-units.ts';

const readAccess = (...permissions: Permission[]): OperationAccess => ({
  tabs: anyTab,
  permissions,
  grantLevel: 'location',
});
const bankReadAccess = readAccess('Bank.Read');
const locationReadAccess = readAccess('Bank.Read', 'Location.Read');
const unitReadAccess = readAccess('Bank.Read', 'Location.Read', 'Unit.Read');

const common = { method: 'GET', documents: ['portal'], group: 'Locations and units', deadlineMs: 10_000 } as const;
const includesDisabledText = 'What is disabled is there, too; what is deleted is not.';

const createPlacesViewer = (context: ManagerContext): PlacesViewer => {
  const { scope, tenant, language } = context;
  return { scope, tenant, language, now: context.now };
};

export function placesRoutes(): Operation[] {
  return [
    defineManagerOperation({
      ...common,
      id: 'GetBankIcons',
      path: '/api/v1/banks/icons',
      summary: 'List the banks in sight with how many of their units are online',
      description: `Any grant on a bank shows it, and its units are counted as far as the grants reach. ${includesDisabledText}`,
      access: bankReadAccess,
      query: BankIconsQuery,
      response: BankIconsAnswer,
      localised: true,
      run: ({ query }, context) => context.read((db) => getBankIcons(db, createPlacesViewer(context), query)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetBankLocations',
      path: '/api/v1/banks/{bankKid}/locations',
      summary: 'List the locations of a bank with the types of their units',
      description: `Location grants limit the list. ${includesDisabledText}`,
      access: locationReadAccess,
      params: BankParams,
      query: BankLocationsQuery,
      response: BankLocationsAnswer,
      problemCodes: ['not-found'],
      localised: true,
      run: ({ params: { bankKid }, query }, context) =>
        context.read((db) => getBankLocations(db, createPlacesViewer(context), bankKid, query)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetLocationIcons',
      path: '/api/v1/banks/{bankKid}/location-icons',
      summary: 'List the icons of a bank’s locations with how many of their units are online',
      description: 'The locations of GetBankLocations.',
      access: locationReadAccess,
      params: BankParams,
      query: LocationIconsQuery,
      response: LocationIconsAnswer,
      problemCodes: ['not-found'],
      run: ({ params: { bankKid }, query }, context) =>
        context.read((db) => getLocationIcons(db, createPlacesViewer(context), bankKid, query)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetLocationUnits',
      path: '/api/v1/locations/{locationKid}/units',
      summary: 'List the units of a location',
      description: `Whether they are online is told by GetUnitIcons. ${includesDisabledText}`,
      access: unitReadAccess,
      params: LocationParams,
      query: LocationUnitsQuery,
      response: LocationUnitsAnswer,
      problemCodes: ['not-found'],
      localised: true,
      run: ({ params: { locationKid }, query }, context) =>
        context.read((db) => getLocationUnits(db, createPlacesViewer(context), locationKid, query)),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetUnitIcons',
      path: '/api/v1/locations/{locationKid}/unit-icons',
      summary: 'List the icons of a location’s units and whether they are online',
      description:
        'The units of GetLocationUnits. A unit is offline when it has been silent for an hour in a cash bank, for a day in another, and unknown after 100 days.',
      access: unitReadAccess,
      params: LocationParams,
      query: UnitIconsQuery,
      response: UnitIconsAnswer,
      problemCodes: ['not-found'],
      localised: true,
      run: ({ params: { locationKid }, query }, context) =>
        context.read((db) => getUnitIcons(db, createPlacesViewer(context), locationKid, query)),
    }),
  ];
}
