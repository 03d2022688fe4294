// The columns of whatever has an address: banks, locations, units and residents.

/** An address of one's own, which may be empty, and where it is. */
export type AddressColumns = {
  address: string;
  /** A postal code, perhaps with its city. */
  zip: string;
  /** Millionths of a degree, as the longitude. */
  latitude: number | null;
  longitude: number | null;
  /** Where the coordinates are from; null if nobody has said. */
  coordinate_provenance: number | null;
  /** Counts the changes to these columns. */
  address_revision: number;
};
