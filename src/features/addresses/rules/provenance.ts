// Decides how an address and its coordinates change: the state machine of the provenance of coordinates. Only coordinates
// that a person has set are kept when the address changes.

import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import { fromMs2000 } from '../../../lib/time/ms2000.ts';
import type { Coordinates } from '../../../providers/geocoding/geocoder.ts';
import { isComplete, type AddressText } from './address-text.ts';

export const unknownProvenance = 0;
const manualProvenance = 30;
const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** 0 unknown, 1 to 12 the UTC month of a successful lookup, 13 and 20 of older systems, 30 set by a person. */
export const provenances = [unknownProvenance, ...months, 13, 20, manualProvenance] as const;
export type Provenance = (typeof provenances)[number];

export const coordinateRanges = { latitude: 90_000_000, longitude: 180_000_000 } as const;

/** The address columns of an object, without the count of changes. */
export type AddressState = Omit<AddressColumns, 'address_revision'>;

export const isManual = ({ coordinate_provenance }: AddressState): boolean =>
  coordinate_provenance === manualProvenance;

export const hasSameText = (state: AddressText, { address, zip }: AddressText): boolean =>
  state.address === address && state.zip === zip;

export const isSameState = (one: AddressState, other: AddressState): boolean =>
  hasSameText(one, other) &&
  one.latitude === other.latitude &&
  one.longitude === other.longitude &&
  one.coordinate_provenance === other.coordinate_provenance;

/** A new address starts without automatic coordinates if it is complete: an incomplete one will not be looked up. */
export const withText = (state: AddressState, text: AddressText): AddressState => ({
  ...(isComplete(text) ? withoutAutomaticCoordinates(state) : state),
  address: text.address,
  zip: text.zip,
});

export const withoutAutomaticCoordinates = (state: AddressState): AddressState =>
  isManual(state) ? state : { ...state, latitude: null, longitude: null, coordinate_provenance: unknownProvenance };

export const withLookedUpCoordinates = (
  state: AddressState,
  { latitude, longitude }: Coordinates,
  utcMonth: number,
): AddressState => ({ ...state, latitude, longitude, coordinate_provenance: utcMonth });

export const withManualCoordinates = (state: AddressState, { latitude, longitude }: Coordinates): AddressState => ({
  ...state,
  latitude,
  longitude,
  coordinate_provenance: manualProvenance,
});

/** Undefined if the provenance is that of a lookup but there are no coordinates. */
export function withProvenance(state: AddressState, provenance: Provenance): AddressState | undefined {
  const isOfLookup = provenance >= 1 && provenance <= 12;
  return isOfLookup && !hasValidCoordinates(state) ? undefined : { ...state, coordinate_provenance: provenance };
}

const hasValidCoordinates = ({ latitude, longitude }: AddressState): boolean =>
  isWithin(latitude, coordinateRanges.latitude) && isWithin(longitude, coordinateRanges.longitude);

const isWithin = (value: number | null, limit: number): boolean => value !== null && Math.abs(value) <= limit;

/** 1 to 12. */
export const utcMonthOf = (ms2000: number): number => new Date(fromMs2000(ms2000)).getUTCMonth() + 1;
