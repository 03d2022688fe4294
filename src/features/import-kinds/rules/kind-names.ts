// The kinds of objects that can be imported, in the order in which a tenant is built up.

export const importKindNames = [
  'banks',
  'locations',
  'units',
  'residents',
  'keys',
  'settings',
  'opening-exceptions',
  'readings',
  'postings',
  'bookings',
  'installers',
  'managers',
] as const;

export type ImportKindName = (typeof importKindNames)[number];
