// Lists the fields of an address that a write changes, for the audit log.

import type { RecordedValues } from '../../audit/rules/recorded-values.ts';
import type { AddressState } from './provenance.ts';

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
