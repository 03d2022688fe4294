// Decides whether a manager's rights meet the needs of an operation. The same needs are used by the guard, the `operations`
// of GetCurrentManager, the OpenAPI documents and docs/permissions.md.

import type { Permission, Tab } from './matrix.ts';

/** The grant that is needed: `location` is any grant that covers the object, `tenant` a tenant-wide one. */
export type GrantLevel = 'none' | 'location' | 'bank' | 'tenant';

export type Needs = {
  /** Any one of these Tabs is enough. An empty list needs none. */
  readonly tabs: readonly Tab[];
  /** All of these, checked in this order. */
  readonly permissions: readonly Permission[];
  readonly grantLevel: GrantLevel;
};

export type Grants = {
  readonly tenantWide: boolean;
  /** Banks granted as a whole. */
  readonly banks: ReadonlySet<number>;
  /** Bank -> locations granted one by one. */
  readonly locations: ReadonlyMap<number, ReadonlySet<number>>;
};

export type Rights = {
  readonly tabs: ReadonlySet<Tab>;
  readonly permissions: ReadonlySet<Permission>;
  readonly grants: Grants;
};

export const noRights: Rights = {
  tabs: new Set(),
  permissions: new Set(),
  grants: { tenantWide: false, banks: new Set(), locations: new Map() },
};

export type MissingRight =
  | { readonly kind: 'tab'; readonly tabs: readonly Tab[] }
  | { readonly kind: 'permission'; readonly permission: Permission }
  | { readonly kind: 'scope'; readonly grantLevel: GrantLevel };

/** The reason of a 403 for the key of a service that was not granted the operation. */
export const notGrantedReason = 'operation-not-granted';

/** The reason of a 403 for a grant that is not wide enough. */
export const tooNarrowReason = 'too-narrow';

/** The reason of a 403 for a permission that nobody can grant or withdraw without holding it. */
export const notHeldReason = 'not-held';

/** The reason of the 403 that a missing right is. */
export function missingRightReason(missing: MissingRight): string {
  if (missing.kind === 'tab') return 'missing-tab';
  if (missing.kind === 'scope') return tooNarrowReason;
  return missingPermissionReason(missing.permission);
}

/** `Bank.Read` -> `missing-bank-read`. */
export const missingPermissionReason = (permission: Permission): string =>
  `missing-${permission.replace('.', '-')}`.toLowerCase();

/** The first missing right, in the order Tab, permission, grant. Whether a grant covers the object is not decided here. */
export function findMissingRight(needs: Needs, rights: Rights): MissingRight | undefined {
  if (needs.tabs.length > 0 && !needs.tabs.some((tab) => rights.tabs.has(tab)))
    return { kind: 'tab', tabs: needs.tabs };
  const permission = needs.permissions.find((each) => !rights.permissions.has(each));
  if (permission !== undefined) return { kind: 'permission', permission };
  return hasGrantLevel(needs.grantLevel, rights.grants) ? undefined : { kind: 'scope', grantLevel: needs.grantLevel };
}

function hasGrantLevel(grantLevel: GrantLevel, grants: Grants): boolean {
  const { tenantWide, banks, locations } = grants;
  switch (grantLevel) {
    case 'none':
      return true;
    case 'location':
      return tenantWide || banks.size > 0 || locations.size > 0;
    case 'bank':
      return tenantWide || banks.size > 0;
    case 'tenant':
      return tenantWide;
  }
}
