// Computes the rights that two managers both have.

import type { Grants, Rights } from './needs.ts';

/** What both may do: their common Tabs and permissions, and the places that the grants of both cover. */
export const intersectRights = (one: Rights, other: Rights): Rights => ({
  tabs: one.tabs.intersection(other.tabs),
  permissions: one.permissions.intersection(other.permissions),
  grants: intersectGrants(one.grants, other.grants),
});

function intersectGrants(one: Grants, other: Grants): Grants {
  if (one.tenantWide) return other;
  if (other.tenantWide) return one;
  const locations = [...one.locations.keys(), ...other.locations.keys()].map(
    (bankId) => [bankId, intersectLocations(one, other, bankId)] as const,
  );
  return {
    tenantWide: false,
    banks: one.banks.intersection(other.banks),
    locations: new Map(locations.filter(([, ids]) => ids.size > 0)),
  };
}

/** The locations of a bank that both have, and at least one of them not as a part of the whole bank. */
function intersectLocations(one: Grants, other: Grants, bankId: number): ReadonlySet<number> {
  const [ofOne = new Set<number>(), ofOther = new Set<number>()] = [one, other].map(({ locations }) =>
    locations.get(bankId),
  );
  return new Set([
    ...ofOne.intersection(ofOther),
    ...(one.banks.has(bankId) ? ofOther : []),
    ...(other.banks.has(bankId) ? ofOne : []),
  ]);
}
