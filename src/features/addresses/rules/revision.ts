// Makes the revision of an address.

import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import { digestRevision } from '../../../lib/revision.ts';

/** Turns with every change, also with one by a writer that does not count it. */
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
