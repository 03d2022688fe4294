// Declares GetBankIcons, GetBankLocations, GetLocationIcons, GetLocationUnits and GetUnitIcons.

import { defineManagerOperation, type OperationAccess, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { anyTab, type Permission } from '../../permissions/matrix.ts';
import { getBankIcons } from './operations/get-bank-icons.ts';
import { getBankLocations } from './operations/get-bank-locations.ts';
import { getLocationIcons } from './operations/get-location-icons.ts';
import { getLocationUnits } from './operations/get-location-units.ts';
import { getUnitIcons } from './operations/get-unit-icons.ts';
import {
  BankIconsPage,
  BankIconsQuery,
  LocationPage,
  BankLocationsQuery,
  BankParams,
  LocationIconsPage,
  LocationIconsQuery,
  LocationParams,
  UnitPage,
  LocationUnitsQuery,
  UnitIconsPage,
  UnitIconsQuery,
} from './schemas.ts';

const readAccess = (...permissions: Permission[]): OperationAccess => ({
  tabs: anyTab,
  permissions,
  grantLevel: 'location',
});
const bankReadAccess = readAccess('Bank.Read');
const locationReadAccess = readAccess('Bank.Read', 'Location.Read');
const unitReadAccess = readAccess('Bank.Read', 'Location.Read', 'Unit.Read');

const common = {
  method: 'GET',
  openApiDocuments: ['portal'],
  group: 'Locations and units',
  deadlineMs: 10_000,
} as const;
const includesDisabledText = 'Disabled objects are included, deleted ones are not.';

export const placesRoutes: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetBankIcons',
    path: '/api/v1/banks/icons',
    summary: 'List the visible banks and the number of their units that are online',
    description: `A bank is listed if a grant covers it or one of its locations. Only units of covered locations are counted. ${includesDisabledText}`,
    access: bankReadAccess,
    query: BankIconsQuery,
    response: jsonOf(BankIconsPage),
    localised: true,
    run: ({ query }, context) => getBankIcons(context, query),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetBankLocations',
    path: '/api/v1/banks/{bankKid}/locations',
    summary: 'List the locations of a bank with the types of their units',
    description: `Only covered locations are listed. ${includesDisabledText}`,
    access: locationReadAccess,
    params: BankParams,
    query: BankLocationsQuery,
    response: jsonOf(LocationPage),
    problemCodes: ['not-found'],
    localised: true,
    run: ({ params, query }, context) => getBankLocations(context, { ...params, listing: query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetLocationIcons',
    path: '/api/v1/banks/{bankKid}/location-icons',
    summary: 'List the icons of a bank’s locations and the number of their units that are online',
    description: 'Returns the same locations as GetBankLocations.',
    access: locationReadAccess,
    params: BankParams,
    query: LocationIconsQuery,
    response: jsonOf(LocationIconsPage),
    problemCodes: ['not-found'],
    run: ({ params, query }, context) => getLocationIcons(context, { ...params, listing: query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetLocationUnits',
    path: '/api/v1/locations/{locationKid}/units',
    summary: 'List the units of a location',
    description: `GetUnitIcons returns whether they are online. ${includesDisabledText}`,
    access: unitReadAccess,
    params: LocationParams,
    query: LocationUnitsQuery,
    response: jsonOf(UnitPage),
    problemCodes: ['not-found'],
    localised: true,
    run: ({ params, query }, context) => getLocationUnits(context, { ...params, listing: query }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetUnitIcons',
    path: '/api/v1/locations/{locationKid}/unit-icons',
    summary: 'List the icons of a location’s units and whether they are online',
    description:
      'Returns the same units as GetLocationUnits. A unit is offline after an hour without contact in a cash bank, after a day in another bank, and unknown after 100 days.',
    access: unitReadAccess,
    params: LocationParams,
    query: UnitIconsQuery,
    response: jsonOf(UnitIconsPage),
    problemCodes: ['not-found'],
    localised: true,
    run: ({ params, query }, context) => getUnitIcons(context, { ...params, listing: query }),
  }),
];
