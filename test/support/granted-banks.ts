// Grants tests a bank as a whole, as the command line has it.

import { requireCoveredBank, requireWholeCoverage, type WholeGrantedBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';

export const grantBank = (bankId: number, tenant = 'sund'): WholeGrantedBank =>
  requireWholeCoverage(requireCoveredBank(createOperatorScope(tenant), { bankId }));
