// The schemas of the operations on managers.

import { Type, type Static } from 'typebox';
import { listResponse, namedSortQuery, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { areas } from '../../permissions/matrix.ts';
import { customRole, roleNames } from '../../permissions/roles.ts';
import { ManagerPermissions, PermissionFlag, Tab } from '../sessions/schemas.ts';
import { managerFields } from './fields.ts';
import { managerStates } from './rules/manager-criteria.ts';
import { scopeKinds } from './rules/granted-scopes.ts';

const sorts = ['name', 'kid'] as const;
const searched =
  'name, email, organisation and id: each word of the filter has to be the beginning of one of theirs; accents do not count';

export const ManagersQuery = closedObject({
  state: useOf(namedEnum('ManagerSelection', [...managerStates, 'all'], 'inactive: cannot log in.'), {
    default: 'all',
  }),
  ...namedSortQuery('ManagerSort', sorts, searched),
  ...paginationQuery,
});

const PermissionRole = namedEnum('PermissionRole', roleNames, 'A predefined matrix of permissions.');

export const Manager = namedObject('Manager', {
  kid: kidOutput('manager'),
  name: managerFields.name.output,
  email: managerFields.email.output,
  organisation: managerFields.organisation.output,
  iconKid: managerFields.icon.output,
  active: Type.Boolean({ description: 'False: cannot log in, and has no sessions.' }),
  tenantWide: Type.Boolean({ description: 'Whether a grant covers the whole tenant.' }),
  role: namedEnum(
    'ManagerRole',
    [...roleNames, customRole],
    'The role whose permissions are exactly the manager’s; Custom if there is none.',
  ),
  lastSeenUtc: nullable(
    instant('When a session of the manager was last used, to within 15 minutes; null if that is not known.'),
  ),
});
export type Manager = Static<typeof Manager>;

export const ManagerPage = listResponse('ManagerPage', Manager);

const ManagerScope = namedObject('ManagerScope', {
  kid: Type.Union([kidOutput('tenant'), kidOutput('bank'), kidOutput('location')]),
  kind: namedEnum('ManagerScopeKind', scopeKinds, 'What the grant covers.'),
});

const PermissionRoleMatrix = namedObject('PermissionRoleMatrix', {
  name: PermissionRole,
  permissions: ManagerPermissions,
});

export const ManagerDetail = namedObject('ManagerDetail', {
  manager: Manager,
  tabs: Type.Array(Tab, { description: 'The assigned Tabs.' }),
  permissions: ManagerPermissions,
  scopes: Type.Array(ManagerScope, { description: 'The grants, the widest first.' }),
  roles: Type.Array(PermissionRoleMatrix, { description: 'Every role that can be applied.' }),
  canEdit: Type.Boolean({
    description:
      'Whether the caller may change permissions of this manager: those that the caller holds; all, if both are the same manager.',
  }),
  permissionRevision: Type.String({
    description: 'For `expectedRevision`. Changes with every change of rights or activity.',
  }),
});
export type ManagerDetail = Static<typeof ManagerDetail>;

export const ManagerParams = closedObject({ managerKid: kidInput('manager') });

export const ManagerPermissionParams = closedObject({
  managerKid: kidInput('manager'),
  area: namedEnum('PermissionArea', areas, 'An area of the permission matrix.'),
  flag: PermissionFlag,
});

const expectedRevision = Type.String({
  maxLength: 64,
  description: '`permissionRevision` of the manager from the last read.',
});

export const ManagerPermissionChange = namedBody('ManagerPermissionChange', {
  granted: Type.Boolean({ description: 'False withdraws it.' }),
  expectedRevision,
});

export const ManagerPermissionRoleChange = namedBody('ManagerPermissionRoleChange', {
  role: PermissionRole,
  expectedRevision,
});
