// Declares the address fields of a bank or location in an import, which are typed by hand as in the operations on
// addresses. Nothing is looked up.

import type { AddressColumns } from '../../../../database/tables/address-columns.ts';
import {
  maxAddressLength,
  maxZipLength,
  normalizeAddressText,
  parseAddressText,
} from '../../../addresses/rules/address-text.ts';
import {
  coordinateRanges,
  hasSameText,
  isManual,
  unknownProvenance,
  withManualCoordinates,
  withText,
  type AddressState,
} from '../../../addresses/rules/provenance.ts';
import type { FieldParser, FieldTable, RowError, RowValues } from '../../import-kind.ts';
import { parserOfTrimmed } from '../../rules/field-parsers.ts';
import { fieldError } from '../../rules/parse-fields.ts';

const degreeDecimals = 6;
const coordinateFields = ['latitude', 'longitude'] as const;

const parseCoordinate = (limit: number): FieldParser =>
  parserOfTrimmed(
    (text) => {
      if (text === '') return text;
      return /^-?\d{1,9}$/.test(text) && Math.abs(Number(text)) <= limit ? String(Number(text)) : undefined;
    },
    `must be between -${limit / 10 ** degreeDecimals} and ${limit / 10 ** degreeDecimals} degrees`,
  );

export const addressFields = {
  address: {
    description: `Street and number: up to ${maxAddressLength} characters, or empty.`,
    example: 'Example Lane 1',
    parse: (text) => parseAddressText(text, maxAddressLength),
    write: (row) => normalizeAddressText(row).address,
  },
  zip: {
    description: 'Postal code, perhaps with its city; may be empty.',
    example: '2100 Example',
    parse: (text) => parseAddressText(text, maxZipLength),
    write: (row) => normalizeAddressText(row).zip,
  },
  latitude: {
    description:
      'In degrees (WGS 84), set by hand; needs the longitude. Empty: not known. Without the columns, those that were looked up are cleared by another address.',
    example: '55.676111',
    decimals: degreeDecimals,
    parse: parseCoordinate(coordinateRanges.latitude),
    write: ({ latitude }) => String(latitude ?? ''),
  },
  longitude: {
    description: 'The same.',
    example: '12.568333',
    decimals: degreeDecimals,
    parse: parseCoordinate(coordinateRanges.longitude),
    write: ({ longitude }) => String(longitude ?? ''),
  },
} as const satisfies FieldTable<AddressColumns>;

export const addressFieldNames = Object.keys(addressFields);

export const hasAddress = (values: RowValues): boolean =>
  addressFieldNames.some((field) => values[field] !== undefined);

/** The address with the fields that there are. */
export function toAddressState(state: AddressState, values: RowValues): AddressState {
  const stored = normalizeAddressText(state);
  const { address = stored.address, zip = stored.zip } = values;
  const moved = hasSameText(stored, { address, zip }) ? state : withText(state, { address, zip });
  if (coordinateFields.every((field) => values[field] === undefined)) return moved;
  const latitude = readCoordinate(values['latitude'], state.latitude);
  const longitude = readCoordinate(values['longitude'], state.longitude);
  return latitude === null || longitude === null
    ? { ...moved, latitude: null, longitude: null, coordinate_provenance: unknownProvenance }
    : withManualCoordinates(moved, { latitude, longitude });
}

/** `stored` is that of a place whose row has none; an empty text is no coordinate. */
const readCoordinate = (text: string | undefined, stored: number | null): number | null =>
  text === undefined ? stored : text === '' ? null : Number(text);

/** Coordinates that were looked up are not those of another address, unless the row has some of its own. */
export function listImpliedCoordinates(row: AddressColumns, values: RowValues): RowValues {
  const stored = { latitude: String(row.latitude ?? ''), longitude: String(row.longitude ?? '') };
  const isKept = coordinateFields.every((field) => (values[field] ?? stored[field]) === stored[field]);
  const { latitude: _latitude, longitude: _longitude, ...texts } = values;
  const isCleared = toAddressState(row, texts).latitude === null && row.latitude !== null;
  return isKept && isCleared && !isManual(row) ? { latitude: '', longitude: '' } : {};
}

/** `stored` are the values of a place that there is. */
export function listAddressErrors(values: RowValues, stored: RowValues = {}): RowError[] {
  const [latitude, longitude] = coordinateFields.map((field) => values[field] ?? stored[field] ?? '');
  return hasAddress(values) && (latitude === '') !== (longitude === '')
    ? [
        fieldError(
          latitude === '' ? 'latitude' : 'longitude',
          'required',
          'must not be empty where the other one is not',
        ),
      ]
    : [];
}
