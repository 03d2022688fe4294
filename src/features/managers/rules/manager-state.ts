// What a manager is and may do, and how two such states differ.

import { listPermissions, tabs, type Permission, type Tab } from '../../../permissions/matrix.ts';
import type { Grants, Rights } from '../../../permissions/needs.ts';
import { toGrants } from '../../credentials/rules/grants.ts';
import { listScopes } from './scopes.ts';
import { comparePermissions } from './permission-changes.ts';

export type ManagerState = Rights & { readonly isActive: boolean };

/** Bank 0 is the whole tenant, location 0 the whole bank. */
export type Place = { readonly bankId: number; readonly locationId: number };

type Difference<T> = { readonly granted: readonly T[]; readonly withdrawn: readonly T[] };

export type StateDifference = {
  /** Undefined where it stays as it is. */
  readonly isActive: boolean | undefined;
  readonly tabs: Difference<Tab>;
  readonly permissions: Difference<Permission>;
  readonly places: Difference<Place>;
};

export function compareStates(before: ManagerState, after: ManagerState): StateDifference {
  const [placesBefore, placesAfter] = [listPlaces(before.grants), listPlaces(after.grants)];
  return {
    isActive: before.isActive === after.isActive ? undefined : after.isActive,
    tabs: {
      granted: tabs.filter((each) => after.tabs.has(each) && !before.tabs.has(each)),
      withdrawn: tabs.filter((each) => before.tabs.has(each) && !after.tabs.has(each)),
    },
    permissions: comparePermissions(before.permissions, after.permissions),
    places: {
      granted: placesAfter.filter((each) => !hasPlace(placesBefore, each)),
      withdrawn: placesBefore.filter((each) => !hasPlace(placesAfter, each)),
    },
  };
}

export const isUnchanged = ({ isActive, ...others }: StateDifference): boolean =>
  isActive === undefined &&
  Object.values(others).every(({ granted, withdrawn }) => granted.length + withdrawn.length === 0);

/** A state as the audit log records it. */
export const describeState = ({ isActive, tabs: held, permissions, grants }: ManagerState, tenant: string) => ({
  active: isActive,
  tabs: tabs.filter((each) => held.has(each)),
  permissions: listPermissions(permissions),
  scopes: listScopes(grants, tenant).map(({ kid }) => kid),
});

export type RightsAmendment = {
  readonly tabs: readonly Tab[];
  readonly permissions: readonly Permission[];
  readonly places: readonly Place[];
};

/** The rights with some added and some removed. What is in both is there afterwards. */
export function amendRights(
  state: ManagerState,
  { added, removed }: { readonly added: RightsAmendment; readonly removed: RightsAmendment },
): ManagerState {
  const places = listPlaces(state.grants).filter((each) => !hasPlace(removed.places, each));
  return {
    isActive: state.isActive,
    tabs: state.tabs.difference(new Set(removed.tabs)).union(new Set(added.tabs)),
    permissions: state.permissions.difference(new Set(removed.permissions)).union(new Set(added.permissions)),
    grants: toGrants(
      [...places, ...added.places].map(({ bankId, locationId }) => ({ bank_id: bankId, location_id: locationId })),
    ),
  };
}

const hasPlace = (places: readonly Place[], { bankId, locationId }: Place): boolean =>
  places.some((each) => each.bankId === bankId && each.locationId === locationId);

const listPlaces = ({ tenantWide, banks, locations }: Grants): Place[] => [
  ...(tenantWide ? [{ bankId: 0, locationId: 0 }] : []),
  ...[...banks].map((bankId) => ({ bankId, locationId: 0 })),
  ...[...locations].flatMap(([bankId, ids]) => [...ids].map((locationId) => ({ bankId, locationId }))),
];
