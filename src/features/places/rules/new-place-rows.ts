// The rows of new banks, locations and units. Whoever creates one names what it knows; the rest is that of a place that
// nobody has changed yet, such as that it has no address.

import type { Tables } from '../../../database/tables.ts';
import type { AddressColumns } from '../../../database/tables/address-columns.ts';

type NewRow<R, K extends keyof R> = Pick<R, K> & Partial<R>;

type NewBank = NewRow<Tables['banks'], 'bank_id' | 'name' | 'bank_type' | 'currency'>;
type NewLocation = NewRow<Tables['locations'], 'bank_id' | 'location_id' | 'name' | 'time_zone'>;
type NewUnit = NewRow<Tables['units'], 'bank_id' | 'location_id' | 'unit_id' | 'name' | 'unit_type'>;

/** Its ledger is opened with it. */
export const newBankRow = (bank: NewBank): Tables['banks'] => ({
  ...noAddress,
  icon: null,
  vat_basis_points: null,
  discount_basis_points: null,
  enabled: 1,
  deleted_at: null,
  places_version: 1,
  residents_version: 1,
  ...bank,
});

export const newLocationRow = (location: NewLocation): Tables['locations'] => ({
  ...noAddress,
  icon: null,
  enabled: 1,
  deleted_at: null,
  ...location,
});

/** Its settings have the defaults of the catalogue. */
export const newUnitRow = (unit: NewUnit): Tables['units'] => ({
  ...noAddress,
  packed_type: null,
  enabled: 1,
  deleted_at: null,
  last_contact_at: null,
  computer_name: null,
  cluster: null,
  version: 1,
  ...unit,
});

export const noAddress: AddressColumns = {
  address: '',
  zip: '',
  latitude: null,
  longitude: null,
  coordinate_provenance: null,
  address_revision: 0,
};
