// Lists what grants cover, by KID.

import { formatKid } from '../../../lib/kid.ts';
import type { Grants } from '../../../permissions/needs.ts';

export const scopeKinds = ['Tenant', 'Bank', 'Location'] as const;

type GrantedScope = { readonly kid: string; readonly kind: (typeof scopeKinds)[number] };

/** The widest first. */
export function listScopes({ tenantWide, banks, locations }: Grants, tenant: string): GrantedScope[] {
  const byId = (a: number, b: number): number => a - b;
  return [
    ...(tenantWide ? [{ kid: formatKid({ type: 'tenant', tenant }), kind: 'Tenant' as const }] : []),
    ...[...banks]
      .toSorted(byId)
      .map((bankId) => ({ kid: formatKid({ type: 'bank', tenant, bankId }), kind: 'Bank' as const })),
    ...[...locations]
      .toSorted(([a], [b]) => byId(a, b))
      .flatMap(([bankId, ids]) => [...ids].toSorted(byId).map((locationId) => ({ bankId, locationId })))
      .map((location) => ({ kid: formatKid({ type: 'location', tenant, ...location }), kind: 'Location' as const })),
  ];
}
