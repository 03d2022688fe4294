// Computes the revision of an address.

import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import { digestRevision } from '../../../lib/values/revision.ts';

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
