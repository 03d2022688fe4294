// The shapes of login and of the current manager, and the rows of a manager's places -> shape.

import { databaseAccessValues, type DatabaseAccess } from '../../database/database-access.ts';
import { Type, type Static } from 'typebox';
import { nameKeyword, namedEnum, namedObject } from '../../http/named-schemas.ts';
import { environmentSchema, instant, kidOutput, stringEnum } from '../../http/schema-types.ts';
import type { Principal } from '../../http/context/principal.ts';
import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { areas, flags, groupByArea, tabs, type Area } from '../../permissions/matrix.ts';
import { coverageOf } from '../../permissions/coverage.ts';
import type { Environment } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import type { GrantedBankRow, CoveredLocationRow } from '../places/queries/granted-places.ts';
import { formatPlainIconKid } from '../icons/rules/current-icon-kid.ts';
import { bankIconKid } from '../places/rules/place-icons.ts';
import { LocationReference } from '../places/schemas.ts';

export const LoginBody = namedObject('LoginCredentials', {
  userName: Type.String({ minLength: 1, maxLength: 128, description: 'Not case-sensitive.' }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
});

const AccessBank = namedObject('BankAccess', {
  kid: kidOutput('bank'),
  name: Type.String(),
  iconKid: Type.String({ description: 'KID of the icon image.' }),
  bankWide: Type.Boolean({
    description: 'True if the grant covers the whole bank; false if it covers only the listed locations.',
  }),
  locations: Type.Array(LocationReference, { description: 'The covered locations.' }),
});

export const PermissionFlag = namedEnum('PermissionFlag', flags, 'A flag of the permission matrix.');
const AreaFlags = Type.Array(PermissionFlag);

export const TabName = namedEnum('Tab', tabs, 'A Tab of the portal.');

const ManagerAccess = namedObject('ManagerAccess', {
  tenantWide: Type.Boolean(),
  banks: Type.Array(AccessBank, { description: 'The banks that the grants cover, fully or in part.' }),
});

export const ManagerPermissions = namedObject(
  'ManagerPermissions',
  Object.fromEntries(areas.map((area) => [area, AreaFlags])) as Record<Area, typeof AreaFlags>,
  { description: 'The granted flags of each area.' },
);

export const CurrentManager = namedObject('CurrentManager', {
  kid: kidOutput('manager'),
  name: Type.String(),
  email: Type.String(),
  organisation: Type.String(),
  iconKid: Type.String({ description: 'KID of the person icon.' }),
  theme: Type.Integer({ minimum: 0, maximum: 2, description: 'System = 0, Light = 1, Dark = 2.' }),
  tenantKid: kidOutput('tenant'),
  tenantName: Type.String(),
  environment: environmentSchema,
  tabs: Type.Array(TabName, {
    description: 'Names of the assigned Tabs. Some Tabs have no operation in this API.',
  }),
  access: ManagerAccess,
  permissions: ManagerPermissions,
  operations: Type.Record(Type.String(), Type.Boolean(), {
    description:
      'For each operationId: whether the Tabs, permissions and grant level allow it for at least one object.',
    [nameKeyword]: 'OperationRights',
  }),
  databaseAccess: stringEnum(
    databaseAccessValues,
    'A cached indicator for display. It is not a permission, and a write can still fail.',
  ),
  expiresAtUtc: instant('When the token expires.'),
});

export const LoginAnswer = namedObject('Login', {
  accessToken: Type.String({ description: 'Opaque; send it as `Authorization: Bearer`.' }),
  tokenType: stringEnum(['Bearer'], 'The scheme of RFC 6750.'),
  expiresAtUtc: instant('When the token expires.'),
  manager: CurrentManager,
});

type FormatCurrentManagerInput = {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly principal: Principal;
  readonly banks: readonly GrantedBankRow[];
  readonly locations: readonly CoveredLocationRow[];
  readonly operations: Record<string, boolean>;
  readonly databaseAccess: DatabaseAccess;
  /** For the icons that are calendars. */
  readonly dayOfMonth: number;
};

export function formatCurrentManager(input: FormatCurrentManagerInput): Static<typeof CurrentManager> {
  const { tenant, environment, principal, banks, locations, operations, databaseAccess, dayOfMonth } = input;
  const { profile, grants } = principal;
  return {
    kid: formatKid({ type: 'manager', tenant: tenant.name, managerId: principal.managerId }),
    name: profile.name,
    email: profile.email,
    organisation: profile.organisation,
    iconKid: formatPlainIconKid(profile.personIcon, dayOfMonth),
    theme: profile.theme,
    tenantKid: tenant.name,
    tenantName: tenant.displayName,
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
