// Describes the state of a manager, which is activity and rights, and how two states differ.

import { parseKid } from '../../../lib/kid.ts';
import { listPermissions, tabs, type Permission, type Tab } from '../../../permissions/matrix.ts';
import type { Grants, Rights } from '../../../permissions/needs.ts';
import { toGrants } from '../../managers/rules/grants.ts';
import { listScopes } from './granted-scopes.ts';
import { comparePermissions } from './permission-changes.ts';

export type ManagerState = Rights & { readonly isActive: boolean };

/** Bank 0 is the whole tenant, location 0 the whole bank. */
export type GrantTarget = { readonly bankId: number; readonly locationId: number };

export type RightsDifference<T> = { readonly granted: readonly T[]; readonly withdrawn: readonly T[] };

type StateDifference = {
  /** Undefined where it does not change. */
  readonly isActive: boolean | undefined;
  readonly tabs: RightsDifference<Tab>;
  readonly permissions: RightsDifference<Permission>;
  readonly places: RightsDifference<GrantTarget>;
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
  readonly places: readonly GrantTarget[];
};

/** Removes rights and then adds rights: a right in both lists is added. */
export function amendRights(
  state: ManagerState,
  { added, removed }: { readonly added: RightsAmendment; readonly removed: RightsAmendment },
): ManagerState {
  const places = listPlaces(state.grants).filter((each) => !hasPlace(removed.places, each));
  return {
    isActive: state.isActive,
    tabs: state.tabs.difference(new Set(removed.tabs)).union(new Set(added.tabs)),
    permissions: state.permissions.difference(new Set(removed.permissions)).union(new Set(added.permissions)),
    grants: grantsOf([...places, ...added.places]),
  };
}

export const hasPlace = (places: readonly GrantTarget[], { bankId, locationId }: GrantTarget): boolean =>
  places.some((each) => each.bankId === bankId && each.locationId === locationId);

/** The place that the KID of the tenant, a bank or a location names; undefined for any other text. */
export function parseGrant(text: string, tenant: string): GrantTarget | undefined {
  const kid = parseKid(text, tenant, ['tenant', 'bank', 'location']);
  if (kid === undefined || kid.type === 'tenant') return kid && { bankId: 0, locationId: 0 };
  return { bankId: kid.bankId, locationId: kid.type === 'location' ? kid.locationId : 0 };
}

export const grantsOf = (places: readonly GrantTarget[]): Grants =>
  toGrants(places.map(({ bankId, locationId }) => ({ bank_id: bankId, location_id: locationId })));

export const listPlaces = ({ tenantWide, banks, locations }: Grants): GrantTarget[] => [
  ...(tenantWide ? [{ bankId: 0, locationId: 0 }] : []),
  ...[...banks].map((bankId) => ({ bankId, locationId: 0 })),
  ...[...locations].flatMap(([bankId, ids]) => [...ids].map((locationId) => ({ bankId, locationId }))),
];
