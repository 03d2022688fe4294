// Computes the revision of an address, and lists what a write changes of it, for the audit log.

import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import { digestRevision } from '../../../lib/values/revision.ts';
import type { RecordedValues } from '../../audit/rules/recorded-values.ts';
import type { AddressState } from './provenance.ts';

/** Changes with every write, also with one that does not increase the count of changes. */
export const addressRevisionOf = (row: AddressColumns): string =>
  digestRevision(
    JSON.stringify([
      row.address_revision,
      row.address,
      row.zip,
      row.latitude,
      row.longitude,
      row.coordinate_provenance,
    ]),
  );

const columns = {
  address: 'address',
  zip: 'zip',
  latitude: 'latitude',
  longitude: 'longitude',
  coordinateProvenance: 'coordinate_provenance',
} as const satisfies Readonly<Record<string, keyof AddressState>>;

export function listChangedAddressFields(
  old: AddressState,
  state: AddressState,
): { readonly before: RecordedValues; readonly after: RecordedValues } {
  const changed = Object.entries(columns).filter(([, column]) => old[column] !== state[column]);
  const valuesOf = (values: AddressState): RecordedValues =>
    Object.fromEntries(changed.map(([field, column]) => [field, values[column]]));
  return { before: valuesOf(old), after: valuesOf(state) };
}
