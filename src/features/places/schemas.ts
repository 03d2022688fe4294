// The shapes of overviews.

import { Type, type Static } from 'typebox';
import { choice, closed, instant, kidInput, kidText, nullable } from '../../http/fields.ts';
import { listing, listOf } from '../../http/listing.ts';
import { bankTypeNames } from './bank-types.ts';
import { statuses } from './rules/contact.ts';

export const BankParams = closed({ bankKid: kidInput('bank') });
export const LocationParams = closed({ locationKid: kidInput('location') });

const whereLocationsAre = 'name, address or postcode';
const whatUnitsAre = 'the names of units and types, in the language of the answer';

export const BankIconsQuery = closed(listing(['kid', 'name'], 'names'));
export const BankLocationsQuery = closed(listing(['kid', 'name', 'address'], whereLocationsAre));
export const LocationIconsQuery = closed(listing(['kid'], whereLocationsAre));
export const LocationUnitsQuery = closed(listing(['kid', 'name', 'unitType'], whatUnitsAre));
export const UnitIconsQuery = closed(listing(['kid'], whatUnitsAre));

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

export const BankIcons = closed({
  kid: kidText('bank'),
  name: Type.String(),
  iconKid,
  bankType: nullable(choice(bankTypeNames, 'Null where it is not known.')),
  ...counts,
});
export type BankIcons = Static<typeof BankIcons>;
export const BankIconsAnswer = listOf(BankIcons);

export const LocationItem = closed({
  kid: kidText('location'),
  name: Type.String(),
  iconKid,
  address: Type.String({ description: 'Empty where it is not known.' }),
  zip: Type.String({ description: 'Empty where it is not known.' }),
  timeZone: Type.String({ description: 'IANA name; the tenant’s own where none is known of the location.' }),
  enabled,
  units: Type.Array(closed({ unitType, typeName, count: Type.Integer() }), {
    description: 'How many units of which type it holds, by type.',
  }),
});
export type LocationItem = Static<typeof LocationItem>;
export const BankLocationsAnswer = listOf(LocationItem);

export const LocationIcons = closed({ kid: kidText('location'), iconKid, ...counts });
export type LocationIcons = Static<typeof LocationIcons>;
export const LocationIconsAnswer = listOf(LocationIcons);

export const UnitItem = closed({
  kid: kidText('unit'),
  name: Type.String({ description: 'In the language of the answer.' }),
  unitType,
  typeName,
  iconKid,
  enabled,
  bookable: Type.Boolean({ description: 'Residents can book it.' }),
  outOfOrder: Type.Boolean({ description: 'Somebody put it out of order, or it did so itself.' }),
});
export type UnitItem = Static<typeof UnitItem>;
export const LocationUnitsAnswer = listOf(UnitItem);

export const UnitIcons = closed({
  kid: kidText('unit'),
  iconKid,
  status: choice(statuses, 'Unknown: never heard of, or not for more than 100 days.'),
  lastContactUtc: nullable(instant('When it was last heard of; null where it never was.')),
});
export type UnitIcons = Static<typeof UnitIcons>;
export const UnitIconsAnswer = listOf(UnitIcons);
