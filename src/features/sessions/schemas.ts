// The schemas of login and of the current manager.

import { databaseAccessValues } from '../../database/checks/database-access.ts';
import { Type, type Static } from 'typebox';
import { nameKeyword, namedBody, namedEnum, namedObject } from '../../http/schemas/named-schemas.ts';
import { Environment, instant, kidOutput, stringEnum, timeZoneOutput } from '../../http/schemas/schema-types.ts';
import { maxEmailOctets } from '../../lib/values/field-values.ts';
import { areas, flags, tabs, type Area } from '../../permissions/matrix.ts';
import { LocationReference } from '../places/schemas.ts';

export const LoginCredentials = namedBody('LoginCredentials', {
  userName: Type.String({ minLength: 1, maxLength: 128, description: 'Not case-sensitive.' }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
});

const BankAccess = namedObject('BankAccess', {
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

export const Tab = namedEnum('Tab', tabs, 'A Tab of the portal.');

const ManagerAccess = namedObject('ManagerAccess', {
  tenantWide: Type.Boolean(),
  banks: Type.Array(BankAccess, { description: 'The banks that the grants cover, fully or in part.' }),
});

export const ManagerPermissions = namedObject(
  'ManagerPermissions',
  Object.fromEntries(areas.map((area) => [area, AreaFlags])) as Record<Area, typeof AreaFlags>,
  { description: 'The granted flags of each area.' },
);

export const CurrentManager = namedObject('CurrentManager', {
  kid: kidOutput('manager'),
  name: Type.String(),
  email: Type.String({ maxLength: maxEmailOctets }),
  organisation: Type.String(),
  iconKid: Type.String({ description: 'KID of the person icon.' }),
  theme: Type.Integer({ minimum: 0, maximum: 2, description: 'System = 0, Light = 1, Dark = 2.' }),
  tenantKid: kidOutput('tenant'),
  tenantName: Type.String(),
  timeZone: timeZoneOutput('that of the tenant.'),
  environment: Environment,
  tabs: Type.Array(Tab, { description: 'Names of the assigned Tabs. Some Tabs have no operation in this API.' }),
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
export type CurrentManager = Static<typeof CurrentManager>;

export const Login = namedObject('Login', {
  accessToken: Type.String({ description: 'Opaque; send it as `Authorization: Bearer`.' }),
  tokenType: stringEnum(['Bearer'], 'The scheme of RFC 6750.'),
  expiresAtUtc: instant('When the token expires.'),
  manager: CurrentManager,
});
export type Login = Static<typeof Login>;
