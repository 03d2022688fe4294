// Describes the requests and responses of overviews.

import { Type, type Static } from 'typebox';
import { nameKeyword, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, int32, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { listQuery, listResponse } from '../../http/schemas/list-schemas.ts';
import { bankTypeNames } from './rules/bank-types.ts';
import { contactStatuses } from './rules/contact-status.ts';
import { unitTypeCode, unitTypes } from './rules/unit-types.ts';

export const BankParams = closedObject({ bankKid: kidInput('bank') });
export const LocationParams = closedObject({ locationKid: kidInput('location') });

const locationSearchFields = 'name, address or postcode';
const unitSearchFields = 'the names of units and types, in the language of the answer';

export const BankIconsQuery = closedObject(listQuery(['kid', 'name'], 'names'));
export const BankLocationsQuery = closedObject(listQuery(['kid', 'name', 'address'], locationSearchFields));
export const LocationIconsQuery = closedObject(listQuery(['kid'], locationSearchFields));
export const LocationUnitsQuery = closedObject(listQuery(['kid', 'name', 'unitType'], unitSearchFields));
export const UnitIconsQuery = closedObject(listQuery(['kid'], unitSearchFields));

export const LocationReference = namedObject('LocationReference', { kid: kidOutput('location'), name: Type.String() });

export const UnitReference = namedObject('UnitReference', {
  kid: kidOutput('unit'),
  name: Type.String({ description: 'In the language of the response.' }),
  locationKid: kidOutput('location'),
});

const iconKid = Type.String({ description: 'Icon KID for the icon operations.', examples: ['house~tMQ'] });
const enabled = Type.Boolean({ description: 'false: disabled.' });

const UnitTypeCode = Type.Unsafe<number>({
  description: `Code of a type of units: ${unitTypes.map((type) => `${unitTypeCode(type)} ${type}`).join(', ')}.`,
  // A unit can have a type that is newer than this version.
  anyOf: [
    { type: 'integer', format: 'int32', enum: unitTypes.map(unitTypeCode), 'x-enum-varnames': unitTypes },
    int32({ minimum: unitTypes.length + 1, description: 'A type that this version does not know.' }),
  ],
  [nameKeyword]: 'UnitTypeCode',
});
const unitType = nullable(useOf(UnitTypeCode, { description: 'Code of the type; null if unknown.' }));
const typeName = Type.String({
  description: 'The type in the language of the answer, or the word for unit if the type is unknown.',
});
const counts = {
  online: Type.Integer({ description: 'Visible units that are online.' }),
  offline: Type.Integer({
    description: 'Visible units that are offline. Units with an unknown status are not counted.',
  }),
};

const BankType = namedEnum('BankType', bankTypeNames, 'Cash: residents pay at the unit; Rent: they pay with the rent.');

export const BankIcons = namedObject('BankIcons', {
  kid: kidOutput('bank'),
  name: Type.String(),
  iconKid,
  bankType: nullable(useOf(BankType, { description: 'Null if unknown.' })),
  ...counts,
});
export type BankIcons = Static<typeof BankIcons>;
export const BankIconsPage = listResponse('BankIconsPage', BankIcons);

const UnitTypeCount = namedObject('UnitTypeCount', {
  unitType,
  typeName,
  count: Type.Integer({ description: 'Number of units of the type.' }),
});

const shownAddress = 'Empty if unknown; null if the location is disabled and the grant is not tenant-wide.';
const shownCoordinate = (name: string, limit: number) =>
  nullable(
    int32({
      minimum: -limit,
      maximum: limit,
      description: `${name} (WGS 84) in millionths of a degree. Null if unknown, or if the address is not shown.`,
    }),
  );

export const Location = namedObject('Location', {
  kid: kidOutput('location'),
  name: Type.String(),
  iconKid,
  address: nullable(Type.String({ description: shownAddress })),
  zip: nullable(Type.String({ description: shownAddress })),
  latitude: shownCoordinate('Latitude', 90_000_000),
  longitude: shownCoordinate('Longitude', 180_000_000),
  timeZone: Type.String({ description: 'IANA name; the tenant’s time zone if the location has no valid one.' }),
  enabled,
  units: Type.Array(UnitTypeCount, { description: 'Number of units by type.' }),
});
export type Location = Static<typeof Location>;
export const LocationPage = listResponse('LocationPage', Location);

export const LocationIcons = namedObject('LocationIcons', { kid: kidOutput('location'), iconKid, ...counts });
export type LocationIcons = Static<typeof LocationIcons>;
export const LocationIconsPage = listResponse('LocationIconsPage', LocationIcons);

export const Unit = namedObject('Unit', {
  kid: kidOutput('unit'),
  name: Type.String({ description: 'In the language of the answer.' }),
  unitType,
  typeName,
  iconKid,
  enabled,
  bookable: Type.Boolean({ description: 'Residents can book it.' }),
  outOfOrder: Type.Boolean({ description: 'Set out of order by a person or by the equipment.' }),
});
export type Unit = Static<typeof Unit>;
export const UnitPage = listResponse('UnitPage', Unit);

const ContactStatus = namedEnum(
  'ContactStatus',
  contactStatuses,
  'Unknown: no contact yet, or none for more than 100 days.',
);

export const UnitIcons = namedObject('UnitIcons', {
  kid: kidOutput('unit'),
  iconKid,
  status: ContactStatus,
  lastContactUtc: nullable(instant('Time of the last contact; null if there was none.')),
});
export type UnitIcons = Static<typeof UnitIcons>;
export const UnitIconsPage = listResponse('UnitIconsPage', UnitIcons);
