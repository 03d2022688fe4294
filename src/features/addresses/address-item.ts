// Makes the answer of the operations on addresses.

import { Problem } from '../../lib/problem.ts';
import type { AddressObject } from './address-object.ts';
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

/** Throws 409 if the object has changed since the caller read it. */
export function requireExpectedRevision({ row }: AddressObject, expectedRevision: string): void {
  if (addressRevisionOf(row) !== expectedRevision) throw new Problem('address-conflict');
}
