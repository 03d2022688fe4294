// Declares GetManagers, GetManager, SetManagerPermission and SetManagerPermissionRole.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { notHeldReason } from '../../permissions/needs.ts';
import { managersReadAccess, managersWriteAccess } from './access.ts';
import { getManager } from './operations/get-manager.ts';
import { getManagers } from './operations/get-managers.ts';
import { setManagerPermission } from './operations/set-manager-permission.ts';
import { setManagerPermissionRole } from './operations/set-manager-permission-role.ts';
import {
  ManagerDetail,
  ManagerParams,
  ManagerPermissionChange,
  ManagerPermissionParams,
  ManagerPermissionRoleChange,
  ManagerPage,
  ManagersQuery,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Managers', deadlineMs: 10_000 } as const;

const getManagersOperation = defineManagerOperation({
  ...common,
  id: 'GetManagers',
  method: 'GET',
  path: '/api/v1/managers',
  summary: 'List the managers of the tenant',
  description:
    'Includes inactive managers. Each has the role that matches their permissions. Names are sorted without regard to case and accents, and the numbers in them by value.',
  access: managersReadAccess,
  query: ManagersQuery,
  response: jsonOf(ManagerPage),
  run: ({ query }, context) => getManagers(context, query),
});

const getManagerOperation = defineManagerOperation({
  ...common,
  id: 'GetManager',
  method: 'GET',
  path: '/api/v1/managers/{managerKid}',
  summary: 'Read a manager with Tabs, permissions and scopes',
  description:
    'Includes the permissions of every role, and whether the caller may change the permissions of this manager.',
  access: managersReadAccess,
  params: ManagerParams,
  response: jsonOf(ManagerDetail),
  problemCodes: ['not-found'],
  run: ({ params }, context) => getManager(context, params.managerKid),
});

const write = {
  access: managersWriteAccess,
  response: jsonOf(ManagerDetail),
  problemCodes: ['not-found', 'own-permissions', 'manager-conflict', 'last-administrator'],
  forbiddenReasons: [notHeldReason],
  acceptsIdempotencyKey: true,
} as const;

const refusals =
  'Only the sole active manager with a tenant-wide grant can change their own permissions, and can then grant themselves any permission. Nobody can grant or withdraw a permission of another manager without holding it: 403 `forbidden` with the reason `not-held` names it. At least one manager who can administer managers always remains. A change affects the manager’s sessions at once, and on every replica within 60 seconds.';

const setManagerPermissionOperation = defineManagerOperation({
  ...common,
  ...write,
  id: 'SetManagerPermission',
  method: 'PUT',
  path: '/api/v1/managers/{managerKid}/permissions/{area}/{flag}',
  summary: 'Grant or withdraw one permission',
  description: `All other permissions stay the same. A value that changes nothing leaves the revision unchanged. ${refusals}`,
  params: ManagerPermissionParams,
  body: ManagerPermissionChange,
  run: ({ params, body }, context) => setManagerPermission(context, { ...params, ...body }),
});

const setManagerPermissionRoleOperation = defineManagerOperation({
  ...common,
  ...write,
  id: 'SetManagerPermissionRole',
  method: 'PUT',
  path: '/api/v1/managers/{managerKid}/permission-role',
  summary: 'Apply the permissions of a role',
  description: `Replaces the whole matrix, or changes nothing. ${refusals}`,
  params: ManagerParams,
  body: ManagerPermissionRoleChange,
  run: ({ params, body }, context) => setManagerPermissionRole(context, { ...params, ...body }),
});

export const managerAdministrationRoutes = (): Operation[] => [
  getManagersOperation,
  getManagerOperation,
  setManagerPermissionOperation,
  setManagerPermissionRoleOperation,
];
