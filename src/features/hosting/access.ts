// Defines the rights that the operations on hosting need, and the problem codes for missing ones.

import type { MissingRightProblem, OperationAccess } from '../../http/operations/operation.ts';
import type { PlainProblemCode } from '../../lib/problem.ts';
import type { Tab } from '../../permissions/matrix.ts';
import type { MissingRight } from '../../permissions/needs.ts';

const accessWith = (tab: Tab, missingTab: PlainProblemCode): OperationAccess => ({
  tabs: [tab],
  permissions: ['Managers.Read'],
  grantLevel: 'tenant',
  missingRightProblem: (missing: MissingRight): MissingRightProblem => {
    if (missing.kind === 'tab') return { code: missingTab };
    return { code: missing.kind === 'permission' ? 'missing-managers-read' : 'missing-tenant-access' };
  },
});

export const logsAccess = accessWith('Logs1', 'missing-logs-tab');
export const metricsAccess = accessWith('Hosting1', 'missing-hosting-tab');
