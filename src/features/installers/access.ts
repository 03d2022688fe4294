// The rights that the operations on installers need.

import type { OperationAccess } from '../../http/operations/operation.ts';

export const installerReadAccess: OperationAccess = {
  tabs: ['Installers1'],
  permissions: ['Installer.Read'],
  grantLevel: 'tenant',
};

export const installerWriteAccess: OperationAccess = {
  ...installerReadAccess,
  permissions: ['Installer.Read', 'Installer.Write'],
};

/** What creates and changes many installers at once. */
export const installerImportAccess: OperationAccess = {
  ...installerReadAccess,
  permissions: ['Installer.Read', 'Installer.Write', 'Installer.Create'],
};
