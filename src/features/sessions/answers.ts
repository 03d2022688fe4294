// Formats the current manager from the principal and the rows of the places.

import type { DatabaseAccess } from '../../database/checks/database-access.ts';
import type { Static } from 'typebox';
import { Environment } from '../../http/schemas/schema-types.ts';
import type { Principal } from '../../http/context/principal.ts';
import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { groupByArea } from '../../permissions/matrix.ts';
import { coverageOf } from '../../permissions/coverage.ts';
import type { Tenant } from '../../tenants.ts';
import type { GrantedBankRow, CoveredLocationRow } from '../places/queries/granted-places.ts';
import { formatPlainIconKid } from '../icons/rules/current-icon-kid.ts';
import { bankIconKid } from '../places/rules/place-icons.ts';
import type { CurrentManager } from './schemas.ts';

type CurrentManagerInput = {
  readonly tenant: Tenant;
  readonly environment: Static<typeof Environment>;
  readonly principal: Principal;
  readonly banks: readonly GrantedBankRow[];
  readonly locations: readonly CoveredLocationRow[];
  readonly operations: Record<string, boolean>;
  readonly databaseAccess: DatabaseAccess;
  /** For the icons that are calendars. */
  readonly dayOfMonth: number;
};

export function toCurrentManager(input: CurrentManagerInput): CurrentManager {
  const { tenant, environment, principal, banks, locations, operations, databaseAccess, dayOfMonth } = input;
  const { profile, grants } = principal;
  return {
    kid: formatKid({ type: 'manager', tenant: tenant.name, managerId: principal.id }),
    name: profile.name,
    email: profile.email,
    organisation: profile.organisation,
    iconKid: formatPlainIconKid(profile.personIcon, dayOfMonth),
    theme: profile.theme,
    tenantKid: tenant.name,
    tenantName: tenant.displayName,
    timeZone: tenant.timeZone,
    environment,
    tabs: [...principal.tabs].toSorted(),
    access: {
      tenantWide: grants.tenantWide,
      banks: banks.map(({ bank_id: bankId, name, icon }) => ({
        kid: formatKid({ type: 'bank', tenant: tenant.name, bankId }),
        name,
        iconKid: bankIconKid(icon, dayOfMonth),
        bankWide: coverageOf(grants, bankId) === 'all',
        locations: locations
          .filter((location) => location.bank_id === bankId)
          .map((location) => ({
            kid: formatKid({ type: 'location', tenant: tenant.name, bankId, locationId: location.location_id }),
            name: location.name,
          })),
      })),
    },
    permissions: groupByArea(principal.permissions),
    operations,
    databaseAccess,
    expiresAtUtc: formatUtc(principal.expiresAt),
  };
}
