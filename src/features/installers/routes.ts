// Declares GetInstallers, GetInstaller and SetInstallerIcon.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { installerReadAccess, installerWriteAccess } from './access.ts';
import { getInstaller } from './operations/get-installer.ts';
import { getInstallers } from './operations/get-installers.ts';
import { setInstallerIcon } from './operations/set-installer-icon.ts';
import { InstallerDetail, InstallerIconChange, InstallerParams, InstallerPage, InstallersQuery } from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Installers', deadlineMs: 10_000 } as const;

const getInstallersOperation = defineManagerOperation({
  ...common,
  id: 'GetInstallers',
  method: 'GET',
  path: '/api/v1/installers',
  summary: 'List the installers',
  description: 'Those who service the units of the tenant, with where they work and when they last did something.',
  access: installerReadAccess,
  query: InstallersQuery,
  response: jsonOf(InstallerPage),
  run: ({ query }, context) => getInstallers(context, query),
});

const getInstallerOperation = defineManagerOperation({
  ...common,
  id: 'GetInstaller',
  method: 'GET',
  path: '/api/v1/installers/{installerKid}',
  summary: 'Read an installer',
  description: 'With the icons that can be chosen for persons.',
  access: installerReadAccess,
  params: InstallerParams,
  response: jsonOf(InstallerDetail),
  problemCodes: ['not-found'],
  run: ({ params }, context) => getInstaller(context, params.installerKid),
});

const setInstallerIconOperation = defineManagerOperation({
  ...common,
  id: 'SetInstallerIcon',
  method: 'PUT',
  path: '/api/v1/installers/{installerKid}/icon',
  summary: 'Choose the icon of an installer',
  description:
    'Writes the icon if expectedRevision is the current iconRevision (409 otherwise). Choosing the current icon changes nothing.',
  access: installerWriteAccess,
  params: InstallerParams,
  body: InstallerIconChange,
  response: jsonOf(InstallerDetail),
  problemCodes: ['not-found', 'installer-icon-conflict'],
  acceptsIdempotencyKey: true,
  run: ({ params, body }, context) => setInstallerIcon(context, { ...params, ...body }),
});

export const installersRoutes = (): Operation[] => [
  getInstallersOperation,
  getInstallerOperation,
  setInstallerIconOperation,
];
