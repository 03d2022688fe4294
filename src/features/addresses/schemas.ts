// Describes the requests and responses of the operations on addresses.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { parsedText } from '../../http/schemas/parsed-text.ts';
import { closedObject, expectedRevision, kidInput, kidSchema } from '../../http/schemas/schema-types.ts';
import { addressKidTypes } from './rules/address-kid.ts';
import { maxAddressLength, maxZipLength, parseAddressText } from './rules/address-text.ts';
import { coordinateRanges, provenances, type Provenance } from './rules/provenance.ts';

export const AddressParams = closedObject({ kid: kidInput(...addressKidTypes) });

const latitudeText = 'Latitude (WGS 84) in millionths of a degree.';
const longitudeText = 'Longitude (WGS 84) in millionths of a degree.';
const coordinate = (limit: number, description: string, example: number) =>
  Type.Integer({ format: 'int32', minimum: -limit, maximum: limit, description, examples: [example] });
const latitude = (note = '') => coordinate(coordinateRanges.latitude, `${latitudeText}${note}`, 55_676_111);
const longitude = (note = '') => coordinate(coordinateRanges.longitude, `${longitudeText}${note}`, 12_568_333);

const provenanceText =
  '0: unknown. 1 to 12: looked up, in this UTC month. 13 and 20: a lookup of an older system, pending or failed. 30: set by hand.';
const CoordinateProvenance = Type.Unsafe<Provenance>({
  type: 'integer',
  format: 'int32',
  enum: [...provenances],
  description: provenanceText,
});

const addressOutcomes = [
  'Success',
  'Unchanged',
  'IncompleteAddress',
  'ManualCoordinatesPreserved',
  'ManualCoordinatesSaved',
  'NoResult',
  'TransientFailure',
  'PermanentFailure',
  'NotConfigured',
  'Superseded',
  'ProvenanceSaved',
] as const;
export type AddressOutcome = (typeof addressOutcomes)[number];

const AddressOutcome = namedEnum(
  'AddressOutcome',
  addressOutcomes,
  'What became of the coordinates; everything shown is stored. Unchanged: nothing was written. Success: looked up. IncompleteAddress: not looked up, since address or postal code is missing. ManualCoordinatesPreserved: not looked up, since they were set by hand. NoResult, TransientFailure, PermanentFailure: the lookup found nothing, or failed. NotConfigured: not looked up, since there is no provider that may be asked. Superseded: what the lookup found was dropped, since the object was changed meanwhile.',
);

export const ObjectAddress = namedObject('ObjectAddress', {
  kid: Type.Union([kidSchema('bank'), kidSchema('location'), kidSchema('unit'), kidSchema('user')], {
    description: 'Canonical KID of the object.',
  }),
  address: Type.String({ description: 'The object’s own; empty if it has none.' }),
  zip: Type.String({ description: 'Postal code, perhaps with its city; empty if it has none.' }),
  latitude: nullable(latitude(' Null if unknown.')),
  longitude: nullable(longitude(' Null if unknown.')),
  autoLatitudeLongitude: nullable(
    Type.Integer({
      format: 'int32',
      description: `Where the coordinates are from. ${provenanceText} Null: never set.`,
    }),
  ),
  revision: Type.String({ description: 'Changes with every change to the address or its coordinates.' }),
  outcome: AddressOutcome,
  canWrite: Type.Boolean({ description: 'Whether the caller can write it now; every write checks again.' }),
});
export type ObjectAddress = Static<typeof ObjectAddress>;

const addressText = (maxLength: number, annotations: { description: string; examples: string[] }) =>
  parsedText(Type.String({ maxLength, ...annotations }), (text) => parseAddressText(text, maxLength));

export const ObjectAddressUpdate = namedBody('ObjectAddressUpdate', {
  address: addressText(maxAddressLength, {
    description:
      'Street and number. Spaces around it are removed, and it is stored in Unicode NFC; no control characters.',
    examples: ['Alder Lane 2'],
  }),
  zip: addressText(maxZipLength, {
    description:
      'Postal code, with or without its city; the same rules. A bare postal code of the tenant’s country gets its city, if there is exactly one.',
    examples: ['2100'],
  }),
  expectedRevision,
});

export const ObjectCoordinatesUpdate = namedBody('ObjectCoordinatesUpdate', {
  latitude: latitude(),
  longitude: longitude(),
  expectedRevision,
});

export const ObjectCoordinateProvenanceUpdate = namedBody('ObjectCoordinateProvenanceUpdate', {
  value: CoordinateProvenance,
  expectedRevision,
});
