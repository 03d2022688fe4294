// Creates the answer of the operations on addresses.

import type { AddressObject } from './require-address-object.ts';
import { addressRevisionOf } from './rules/revision.ts';
import type { AddressOutcome, ObjectAddress } from './schemas.ts';

export const toObjectAddress = (
  { kid, row }: AddressObject,
  outcome: AddressOutcome,
  canWrite = true,
): ObjectAddress => ({
  kid,
  address: row.address,
  zip: row.zip,
  latitude: row.latitude,
  longitude: row.longitude,
  autoLatitudeLongitude: row.coordinate_provenance,
  revision: addressRevisionOf(row),
  outcome,
  canWrite,
});
