// The columns of an object without an address.

import type { AddressColumns } from '../../../database/tables/address-columns.ts';

export const noAddress: AddressColumns = {
  address: '',
  zip: '',
  latitude: null,
  longitude: null,
  coordinate_provenance: null,
  address_revision: 0,
};
