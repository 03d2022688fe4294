// Grants tests a whole bank, like the command line.

import { requireCoveredBank, requireWholeCoverage, type WholeGrantedBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';

export const grantBank = (bankId: number, tenant = 'sund'): WholeGrantedBank =>
  requireWholeCoverage(requireCoveredBank(createOperatorScope(tenant), { bankId }));
