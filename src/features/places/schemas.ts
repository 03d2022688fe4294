// The shapes of overviews.

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

const iconKid = Type.String({ description: 'What the icon operations draw.', examples: ['house~tMQ'] });
const enabled = Type.Boolean({ description: 'Whether it is in use.' });
const unitType = nullable(Type.Integer({ description: 'The code of the type; null where none is told.' }));
const typeName = Type.String({
  description: 'The type in the language of the answer, or the word for a unit where it is not known.',
});
const counts = {
  online: Type.Integer({ description: 'Units in sight that are online.' }),
  offline: Type.Integer({ description: 'Units in sight that are offline; of others it is not known.' }),
};

export const BankIcons = closedObject({
  kid: kidOutput('bank'),
  name: Type.String(),
  iconKid,
  bankType: nullable(stringEnum(bankTypeNames, 'Null where it is not known.')),
  ...counts,
});
export type BankIcons = Static<typeof BankIcons>;
export const BankIconsAnswer = listResponse(BankIcons);

export const LocationItem = closedObject({
  kid: kidOutput('location'),
  name: Type.String(),
  iconKid,
  address: Type.String({ description: 'Empty where it is not known.' }),
  zip: Type.String({ description: 'Empty where it is not known.' }),
  timeZone: Type.String({ description: 'IANA name; the tenant’s own where none is known of the location.' }),
  enabled,
  units: Type.Array(closedObject({ unitType, typeName, count: Type.Integer() }), {
    description: 'How many units of which type it holds, by type.',
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
  outOfOrder: Type.Boolean({ description: 'Somebody put it out of order, or it did so itself.' }),
});
export type UnitItem = Static<typeof UnitItem>;
export const LocationUnitsAnswer = listResponse(UnitItem);

export const UnitIcons = closedObject({
  kid: kidOutput('unit'),
  iconKid,
  status: stringEnum(contactStatuses, 'Unknown: never heard of, or not for more than 100 days.'),
  lastContactUtc: nullable(instant('When it was last heard of; null where it never was.')),
});
export type UnitIcons = Static<typeof UnitIcons>;
export const UnitIconsAnswer = listResponse(UnitIcons);
