// Describes the requests and responses of overviews.

import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { listQuery, listResponse } from '../../http/list-schemas.ts';
import { bankTypeNames } from './rules/bank-types.ts';
import { contactStatuses } from './rules/contact-status.ts';

export const BankParams = closedObject({ bankKid: kidInput('bank') });
export const LocationParams = closedObject({ locationKid: kidInput('location') });

const locationSearchFields = 'name, address or postcode';
const unitSearchFields = 'the names of units and types, in the language of the answer';

export const BankIconsQuery = closedObject(listQuery(['kid', 'name'], 'names'));
export const BankLocationsQuery = closedObject(listQuery(['kid', 'name', 'address'], locationSearchFields));
export const LocationIconsQuery = closedObject(listQuery(['kid'], locationSearchFields));
export const LocationUnitsQuery = closedObject(listQuery(['kid', 'name', 'unitType'], unitSearchFields));
export const UnitIconsQuery = closedObject(listQuery(['kid'], unitSearchFields));

const iconKid = Type.String({ description: 'Icon KID for the icon operations.', examples: ['house~tMQ'] });
const enabled = Type.Boolean({ description: 'false: disabled.' });
const unitType = nullable(Type.Integer({ description: 'Code of the type; null if unknown.' }));
const typeName = Type.String({
  description: 'The type in the language of the answer, or the word for unit if the type is unknown.',
});
const counts = {
  online: Type.Integer({ description: 'Visible units that are online.' }),
  offline: Type.Integer({
    description: 'Visible units that are offline. Units with an unknown status are not counted.',
  }),
};

export const BankIcons = closedObject({
  kid: kidOutput('bank'),
  name: Type.String(),
  iconKid,
  bankType: nullable(stringEnum(bankTypeNames, 'Null if unknown.')),
  ...counts,
});
export type BankIcons = Static<typeof BankIcons>;
export const BankIconsAnswer = listResponse(BankIcons);

export const LocationItem = closedObject({
  kid: kidOutput('location'),
  name: Type.String(),
  iconKid,
  address: Type.String({ description: 'Empty if unknown.' }),
  zip: Type.String({ description: 'Empty if unknown.' }),
  timeZone: Type.String({ description: 'IANA name; the tenant’s time zone if the location has no valid one.' }),
  enabled,
  units: Type.Array(closedObject({ unitType, typeName, count: Type.Integer() }), {
    description: 'Number of units by type.',
  }),
});
export type LocationItem = Static<typeof LocationItem>;
export const BankLocationsAnswer = listResponse(LocationItem);

export const LocationIcons = closedObject({ kid: kidOutput('location'), iconKid, ...counts });
export type LocationIcons = Static<typeof LocationIcons>;
export const LocationIconsAnswer = listResponse(LocationIcons);

export const UnitItem = closedObject({
  kid: kidOutput('unit'),
  name: Type.String({ description: 'In the language of the answer.' }),
  unitType,
  typeName,
  iconKid,
  enabled,
  bookable: Type.Boolean({ description: 'Residents can book it.' }),
  outOfOrder: Type.Boolean({ description: 'Set out of order by a person or by the equipment.' }),
});
export type UnitItem = Static<typeof UnitItem>;
export const LocationUnitsAnswer = listResponse(UnitItem);

export const UnitIcons = closedObject({
  kid: kidOutput('unit'),
  iconKid,
  status: stringEnum(contactStatuses, 'Unknown: no contact yet, or none for more than 100 days.'),
  lastContactUtc: nullable(instant('Time of the last contact; null if there was none.')),
});
export type UnitIcons = Static<typeof UnitIcons>;
export const UnitIconsAnswer = listResponse(UnitIcons);
