// The rights that the tenant status needs, and the codes that answer a missing one.

import type { MissingRightProblem, OperationAccess } from '../../http/operation.ts';
import type { MissingRight } from '../../permissions/needs.ts';

export const statusAccess: OperationAccess = {
  tabs: ['TenantStatus1'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  grantLevel: 'location',
  missingRightProblem,
};

function missingRightProblem(missing: MissingRight): MissingRightProblem | undefined {
  if (missing.kind === 'tab') return { code: 'missing-status-tab' };
  if (missing.kind === 'scope') return { code: 'missing-resource-access' };
  if (missing.permission === 'Bank.Read') return { code: 'missing-bank-read' };
  if (missing.permission === 'Location.Read') return { code: 'missing-location-read' };
  return missing.permission === 'Unit.Read' ? { code: 'missing-unit-read' } : undefined;
}
