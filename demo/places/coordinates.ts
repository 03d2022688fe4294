// Creates the coordinates of demo objects: points in the towns of their postal codes, with every provenance.

import type { AddressColumns } from '../../src/database/tables/address-columns.ts';
import { unknownProvenance } from '../../src/features/addresses/rules/provenance.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import type { Tenant } from '../../src/tenants.ts';
import { findDemoTown } from '../demo-geocoder.ts';

type DemoAddress = Pick<AddressColumns, 'address' | 'zip'>;

/** Used in turn: looked up in a month, set by hand, unknown, or a pending or failed lookup of an older system. */
const provenanceCycle = [6, 30, 11, 2, 0, 13, 20] as const;
const withoutCoordinates: ReadonlySet<number> = new Set([0, 13, 20]);

/** The address columns of an object by its number; an address without text has no coordinates. */
export function placeAddress({ country }: Tenant, text: DemoAddress, number: number): AddressColumns {
  const town = findDemoTown(country, text.zip);
  if (text.address === '' || town === undefined) return { ...noAddress, ...text };
  const provenance = provenanceCycle[number % provenanceCycle.length] ?? unknownProvenance;
  const common = { ...noAddress, ...text, coordinate_provenance: provenance };
  if (withoutCoordinates.has(provenance)) return common;
  const latitude = Math.round(town.latitude * 1e6) + (number % 40) * 150;
  const longitude = Math.round(town.longitude * 1e6) + (number % 30) * 250;
  return { ...common, latitude, longitude };
}
