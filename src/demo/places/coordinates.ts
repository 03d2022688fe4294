// Where demo objects are, and how that is known: points in the towns of their postal codes, of every provenance.

import type { AddressColumns } from '../../database/tables/address-columns.ts';
import { unknownProvenance } from '../../features/addresses/rules/provenance.ts';
import { noAddress } from '../../features/places/rules/no-address.ts';
import type { Tenant } from '../../tenants.ts';
import { findDemoTown } from '../gazetteer.ts';

type AddressText = Pick<AddressColumns, 'address' | 'zip'>;

/** In turns: looked up in a month, set by hand, unknown, a lookup of an older system that is pending or failed. */
const provenanceCycle = [6, 30, 11, 2, 0, 13, 20] as const;
const withoutCoordinates: ReadonlySet<number> = new Set([0, 13, 20]);

/** The address columns of an object by its number; an address without text has no coordinates. */
export function placeAddress({ country }: Tenant, text: AddressText, number: number): AddressColumns {
  const town = findDemoTown(country, text.zip);
  if (text.address === '' || town === undefined) return { ...noAddress, ...text };
  const provenance = provenanceCycle[number % provenanceCycle.length] ?? unknownProvenance;
  const common = { ...noAddress, ...text, coordinate_provenance: provenance };
  if (withoutCoordinates.has(provenance)) return common;
  const latitude = Math.round(town.latitude * 1e6) + (number % 40) * 150;
  const longitude = Math.round(town.longitude * 1e6) + (number % 30) * 250;
  return { ...common, latitude, longitude };
}
