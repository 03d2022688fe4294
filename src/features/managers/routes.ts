// Declares GetManagers, GetManager, SetManagerPermission and SetManagerPermissionRole.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { notHeldReason } from '../../permissions/needs.ts';
import { managersReadAccess, managersWriteAccess } from './access.ts';
import { getManager } from './operations/get-manager.ts';
import { getManagers } from './operations/get-managers.ts';
import { setManagerPermission } from './operations/set-manager-permission.ts';
import { setManagerPermissionRole } from './operations/set-manager-permission-role.ts';
import {
  ManagerDetail,
  ManagerParams,
  ManagerPermissionBody,
  ManagerPermissionParams,
  ManagerPermissionRoleBody,
  ManagersAnswer,
  ManagersQuery,
} from './schemas.ts';

const common = { documents: ['portal'], group: 'Managers', deadlineMs: 10_000 } as const;

const getManagersOperation = defineManagerOperation({
  ...common,
  id: 'GetManagers',
  method: 'GET',
  path: '/api/v1/managers',
  summary: 'List the managers of the tenant',
  description:
    'Active and inactive ones, with the role that their permissions are. Names are sorted without case and accents, and the numbers in them by value.',
  access: managersReadAccess,
  query: ManagersQuery,
  response: ManagersAnswer,
  run: ({ query }, context) => getManagers(context, query),
});

const getManagerOperation = defineManagerOperation({
  ...common,
  id: 'GetManager',
  method: 'GET',
  path: '/api/v1/managers/{managerKid}',
  summary: 'Read a manager with Tabs, permissions and scopes',
  description: 'Also the permissions of every role, and whether the caller may change those of this manager.',
  access: managersReadAccess,
  params: ManagerParams,
  response: ManagerDetail,
  problemCodes: ['not-found'],
  run: ({ params }, context) => getManager(context, params.managerKid),
});

const write = {
  access: managersWriteAccess,
  response: ManagerDetail,
  problemCodes: ['not-found', 'own-permissions', 'manager-conflict', 'last-administrator'],
  forbiddenReasons: [notHeldReason],
  acceptsIdempotencyKey: true,
} as const;

const refusals =
  'Own permissions can be changed only by the sole active manager with a tenant-wide grant. Nobody can grant a permission without holding it: 403 `forbidden` with the reason `not-held` names it. Somebody always remains who can administer managers. A change acts on the manager’s sessions at once, and within 60 seconds on every replica.';

const setManagerPermissionOperation = defineManagerOperation({
  ...common,
  ...write,
  id: 'SetManagerPermission',
  method: 'PUT',
  path: '/api/v1/managers/{managerKid}/permissions/{area}/{flag}',
  summary: 'Grant or withdraw one permission',
  description: `All other permissions stay as they are. A value that changes nothing leaves the revision as it is. ${refusals}`,
  params: ManagerPermissionParams,
  body: ManagerPermissionBody,
  run: ({ params, body }, context) => setManagerPermission(context, { ...params, ...body }),
});

const setManagerPermissionRoleOperation = defineManagerOperation({
  ...common,
  ...write,
  id: 'SetManagerPermissionRole',
  method: 'PUT',
  path: '/api/v1/managers/{managerKid}/permission-role',
  summary: 'Apply the permissions of a role',
  description: `The whole matrix at once, or nothing of it. ${refusals}`,
  params: ManagerParams,
  body: ManagerPermissionRoleBody,
  run: ({ params, body }, context) => setManagerPermissionRole(context, { ...params, ...body }),
});

export const managersRoutes = (): Operation[] => [
  getManagersOperation,
  getManagerOperation,
  setManagerPermissionOperation,
  setManagerPermissionRoleOperation,
];
