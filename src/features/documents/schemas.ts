// The schemas of documents and of their search, and the functions that make the search's answer from rows.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, instant, int32, kidInput, kidOutput } from '../../http/schema-types.ts';
import { formatBankKid, formatDocumentKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { typeCodeOf, unitTypeIconOf } from '../places/rules/unit-types.ts';
import { LocationReference, UnitReference } from '../places/schemas.ts';
import { UnitValueType } from '../units/schemas.ts';
import type { FoundDocumentRow, SearchedLocationRow, SearchedUnitRow } from './queries/search-documents.ts';

export const DocumentsParams = closedObject({ bankKid: kidInput('bank') });

const time = (description: string) =>
  Type.Optional(Type.String({ maxLength: 64, description, examples: ['2026-06-15T06:00:00+02:00'] }));

export const DocumentsQuery = closedObject({
  from: time('Inclusive ISO 8601 time with a UTC offset; default 24 hours before `through`.'),
  through: time('Inclusive ISO 8601 time with a UTC offset; default now. At most 31 days after `from`.'),
  locationKid: Type.Optional(kidInput('location')),
  unitKid: Type.Optional(kidInput('unit')),
  limit: int32({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of items to return.' }),
  offset: int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of items to skip.' }),
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
  unitName: Type.String({ description: unitNameDescription }),
  unitIconKid: Type.String({ description: 'Icon KID of the unit’s type.' }),
  unitType,
  lastActivityUtc: instant('The latest Cycle of the document in the interval, which need not be its end.'),
});

export const DocumentSearchAnswer = namedObject('DocumentSearch', {
  items: Type.Array(FoundDocument, {
    description: 'The latest activity first, then by location, unit and document.',
  }),
  locations: Type.Array(LocationReference, { description: 'The locations that were searched.' }),
  units: Type.Array(UnitReference, { description: 'The units of these locations.' }),
  from: instant('Start of the interval, inclusive.'),
  through: instant('End of the interval, inclusive.'),
  offset: Type.Integer({ description: 'Number of items skipped.' }),
  limit: Type.Integer({ description: 'Maximum number of items of this page.' }),
  hasMore: Type.Boolean({ description: 'True if more items follow.' }),
});
export type DocumentSearchAnswer = Static<typeof DocumentSearchAnswer>;

export const DocumentParams = closedObject({ documentKid: kidInput('document') });

const fieldNames = (kind: 'states' | 'settings') =>
  Type.Optional(
    Type.String({
      maxLength: 8192,
      description: `Comma-separated names of ${kind}, exactly as they are spelled. Without the parameter the document has all that documents of the unit can have; with an empty value it has no ${kind}.`,
    }),
  );
const selection = { states: fieldNames('states'), settings: fieldNames('settings') };

export const DocumentQuery = closedObject(selection);

export const DocumentSvgQuery = closedObject({
  ...selection,
  width: int32({ minimum: 480, maximum: 2400, default: 1200, description: 'Width of the image in pixels.' }),
});

const DocumentColumnSchema = namedObject('DocumentColumn', {
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
          'The number that the text stands for, if it does; of an enumeration its place, of a boolean 0 or 1.',
      }),
    ),
  },
  { description: 'A sample. Both are null where the equipment said that there is no value.' },
);

export const DocumentTableAnswer = namedObject('DocumentTable', {
  documentKid: kidOutput('document'),
  unitKid: kidOutput('unit'),
  unitName: Type.String({ description: 'English.' }),
  finished: Type.Boolean({ description: 'The document has ended, and the equipment has sent all of it.' }),
  fromMs2000: Type.Integer({ description: 'Start of the document, milliseconds since 2000-01-01T00:00:00Z.' }),
  throughMs2000: Type.Integer({ description: 'End of the document so far, inclusive.' }),
  columns: Type.Array(DocumentColumnSchema),
  rows: Type.Array(
    namedObject('DocumentRow', {
      ms2000: Type.Integer({ description: 'Milliseconds since 2000-01-01T00:00:00Z.' }),
      utc: instant('The same time.'),
      cells: Type.Array(nullable(DocumentCell), {
        description: 'In the order of the columns; null where a column has no sample at this time.',
      }),
    }),
    { description: 'One for each time at which something was sampled.' },
  ),
});

type SearchContext = { readonly tenant: string; readonly bankId: number; readonly language: Language };

/** The names of the places that a search covers, by which its items are named. */
export type SearchedPlaces = {
  readonly locations: readonly SearchedLocationRow[];
  readonly units: readonly SearchedUnitRow[];
};

export function toSearchItems(
  rows: readonly FoundDocumentRow[],
  { locations, units }: SearchedPlaces,
  { tenant, bankId, language }: SearchContext,
): DocumentSearchAnswer['items'] {
  const bankKid = formatBankKid(tenant, bankId);
  const locationNames = new Map(locations.map(({ location_id, name }) => [location_id, name]));
  const searched = new Set(rows.map(({ location_id }) => location_id));
  const unitsByKey = new Map(
    units
      .filter(({ location_id }) => searched.has(location_id))
      .map((unit) => [`${unit.location_id}/${unit.unit_id}`, unit]),
  );
  return rows.flatMap(({ location_id, unit_id, document_id, at }) => {
    const unit = unitsByKey.get(`${location_id}/${unit_id}`);
    if (unit === undefined) return [];
    const code = typeCodeOf(unit);
    const locationKid = formatLocationKid(bankKid, location_id);
    const unitKid = formatUnitKid(locationKid, unit_id);
    return [
      {
        kid: formatDocumentKid(unitKid, document_id),
        locationKid,
        unitKid,
        locationName: locationNames.get(location_id) ?? '',
        unitName: localiseName(unit.name, language),
        unitIconKid: unitTypeIconOf(code),
        unitType: code ?? null,
        lastActivityUtc: formatUtc(at),
      },
    ];
  });
}

export function toSearchedPlaces(
  { locations, units }: SearchedPlaces,
  { tenant, bankId, language }: SearchContext,
): Pick<DocumentSearchAnswer, 'locations' | 'units'> {
  const bankKid = formatBankKid(tenant, bankId);
  const locationKids = new Map(locations.map(({ location_id: id }) => [id, formatLocationKid(bankKid, id)]));
  // Of thousands of units many have the same name, each in a house of its own.
  const shownNames = new Map<string, string>();
  const localise = (name: string): string => {
    const shown = shownNames.get(name) ?? localiseName(name, language);
    shownNames.set(name, shown);
    return shown;
  };
  return {
    locations: locations.map(({ location_id, name }) => ({ kid: locationKids.get(location_id) ?? '', name })),
    units: units.map(({ location_id, unit_id, name }) => {
      const locationKid = locationKids.get(location_id) ?? formatLocationKid(bankKid, location_id);
      return { kid: formatUnitKid(locationKid, unit_id), name: localise(name), locationKid };
    }),
  };
}
