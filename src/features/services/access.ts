// The rights that the operations on services need, and the codes that answer a missing one.

import type { MissingRightProblem, OperationAccess } from '../../http/operations/operation.ts';
import type { MissingRight } from '../../permissions/needs.ts';

export const serviceReadAccess: OperationAccess = {
  tabs: ['Services1'],
  permissions: ['Service.Read'],
  grantLevel: 'tenant',
  missingRightProblem,
};

export const serviceWriteAccess: OperationAccess = {
  ...serviceReadAccess,
  permissions: ['Service.Read', 'Service.Write'],
};

/** A manager who grants read access to a service gives it some of their own rights. */
export const serviceGrantAccess: OperationAccess = {
  ...serviceWriteAccess,
  permissions: ['Service.Read', 'Service.Write', 'Managers.Write'],
};

function missingRightProblem(missing: MissingRight): MissingRightProblem | undefined {
  if (missing.kind === 'tab') return { code: 'missing-services-tab' };
  if (missing.kind === 'scope') return { code: 'missing-tenant-access' };
  if (missing.permission === 'Service.Read') return { code: 'missing-services-read' };
  return missing.permission === 'Service.Write' ? { code: 'missing-services-write' } : undefined;
}
