// The schemas of documents and of their search.

import { Type, type Static } from 'typebox';
import { cursor, nextCursor } from '../../http/schemas/list-schemas.ts';
import { namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import {
  closedObject,
  instant,
  int32,
  kidInput,
  kidOutput,
  timeInput,
  timeZoneOfLocation,
} from '../../http/schemas/schema-types.ts';
import { LocationReference, UnitReference } from '../places/schemas.ts';
import { UnitValueType } from '../units/schemas.ts';

export const DocumentsQuery = closedObject({
  from: Type.Optional(timeInput('Inclusive ISO 8601 time with a UTC offset; default 24 hours before `through`.')),
  through: Type.Optional(
    timeInput('Inclusive ISO 8601 time with a UTC offset; default now. At most 31 days after `from`.'),
  ),
  locationKid: Type.Optional(kidInput('location')),
  unitKid: Type.Optional(kidInput('unit')),
  limit: int32({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of items to return.' }),
  offset: int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of items to skip.' }),
  cursor,
});

const unitNameDescription = 'In the language of the response.';
const unitType = nullable(
  Type.Integer({ minimum: 1, description: 'Code of the unit’s type; null if the type is unknown.' }),
);

const FoundDocument = namedObject('FoundDocument', {
  kid: kidOutput('document'),
  locationKid: kidOutput('location'),
  unitKid: kidOutput('unit'),
  locationName: Type.String(),
  timeZone: timeZoneOfLocation,
  unitName: Type.String({ description: unitNameDescription }),
  unitIconKid: Type.String({ description: 'Icon KID of the unit’s type.' }),
  unitType,
  lastActivityUtc: instant('The latest Cycle of the document in the interval, which need not be its end.'),
});

export const DocumentSearch = namedObject('DocumentSearch', {
  items: Type.Array(FoundDocument, { description: 'The latest activity first, then by location, unit and document.' }),
  locations: Type.Array(LocationReference, { description: 'The locations that were searched.' }),
  units: Type.Array(UnitReference, { description: 'The units of these locations.' }),
  from: instant('Start of the interval, inclusive.'),
  through: instant('End of the interval, inclusive.'),
  offset: Type.Integer({ description: 'Number of items before the page.' }),
  limit: Type.Integer({ description: 'Maximum number of items of this page.' }),
  hasMore: Type.Boolean({ description: 'True if more items follow.' }),
  nextCursor,
});
export type DocumentSearch = Static<typeof DocumentSearch>;

export const DocumentParams = closedObject({ documentKid: kidInput('document') });

const fieldNames = (kind: 'states' | 'settings') =>
  Type.Optional(
    Type.String({
      maxLength: 8192,
      description: `Comma-separated names of ${kind}, in their exact spelling. Without the parameter the document has every visible one of the unit’s; with an empty value it has no ${kind}.`,
    }),
  );
const selection = { states: fieldNames('states'), settings: fieldNames('settings') };

export const DocumentQuery = closedObject(selection);

export const DocumentSvgQuery = closedObject({
  ...selection,
  width: int32({ minimum: 480, maximum: 2400, default: 1200, description: 'Width of the image in pixels.' }),
});

const DocumentColumn = namedObject('DocumentColumn', {
  name: Type.String({ description: 'Enum name of the state or setting.' }),
  kind: namedEnum(
    'DocumentColumnKind',
    ['State', 'Setting'],
    'Setting: written by people or equipment; State: measured.',
  ),
  label: Type.String({ description: 'English.' }),
  valueType: UnitValueType,
  unitOfMeasure: nullable(Type.String({ description: 'UCUM code; null if there is none.' })),
});

const DocumentCell = namedObject(
  'DocumentCell',
  {
    text: nullable(Type.String({ description: 'As the equipment sent it.' })),
    value: nullable(
      Type.Number({
        description:
          'The number that the text spells; for an enumeration its index, for a boolean 0 or 1; null if there is none.',
      }),
    ),
  },
  { description: 'A sample. Both are null if the equipment reported that there is no value.' },
);

export const DocumentTable = namedObject('DocumentTable', {
  documentKid: kidOutput('document'),
  unitKid: kidOutput('unit'),
  unitName: Type.String({ description: 'English.' }),
  timeZone: timeZoneOfLocation,
  finished: Type.Boolean({ description: 'The document has ended, and the equipment has sent all of it.' }),
  fromMs2000: Type.Integer({ description: 'Start of the document, milliseconds since 2000-01-01T00:00:00Z.' }),
  throughMs2000: Type.Integer({ description: 'End of the document so far, inclusive.' }),
  columns: Type.Array(DocumentColumn),
  rows: Type.Array(
    namedObject('DocumentRow', {
      ms2000: Type.Integer({ description: 'Milliseconds since 2000-01-01T00:00:00Z.' }),
      utc: instant('The same time.'),
      cells: Type.Array(nullable(DocumentCell), {
        description: 'In the order of the columns; null if a column has no sample at this time.',
      }),
    }),
    { description: 'One for each time at which something was sampled.' },
  ),
});
