// The columns of whatever has an address: banks, locations, units and residents.

/** The object's own address, which may be empty, and its coordinates. */
export type AddressColumns = {
  address: string;
  /** A postal code, perhaps with its city. */
  zip: string;
  /** Millionths of a degree, as the longitude. */
  latitude: number | null;
  longitude: number | null;
  /** The origin of the coordinates; null if that is not known. */
  coordinate_provenance: number | null;
  /** Counts the changes to these columns. */
  address_revision: number;
};
