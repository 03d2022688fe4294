// Finds an import by its KID. Throws the same 404 whether it does not exist, or belongs to a bank that the grants do not
// cover as a whole, or to the tenant and the grants do not.

import type { Db } from '../../database/db.ts';
import { createFieldProblem } from '../../lib/field-problem.ts';
import { Problem } from '../../lib/problem.ts';
import {
  findCoveredBank,
  isWhole,
  requireCoveredBank,
  requireWholeCoverage,
  requireWholeTenant,
  type BankKey,
  type WholeGrantedBank,
  type WholeTenant,
} from '../../permissions/coverage.ts';
import { createOperatorScope, type Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import type { ImportKind, ImportTarget } from './kinds/import-kind.ts';
import { importKinds } from './kinds/import-kinds.ts';
import { findImport, type ImportRow } from './queries/imports.ts';
import type { ImportKindName } from './rules/kind-names.ts';

export type FoundImport = { readonly row: ImportRow; readonly kind: ImportKind; readonly target: ImportTarget };

/** Checks only the grants: what the kind needs besides is checked by the caller. */
export const requireImport = async (db: Db, scope: Scope, tenant: Tenant, importId: number): Promise<FoundImport> =>
  requireCoveredImport(scope, tenant, await findImport(db, importId));

export function requireCoveredImport(scope: Scope, tenant: Tenant, row: ImportRow | undefined): FoundImport {
  if (row === undefined) throw new Problem('not-found');
  const kind = kindOf(row);
  if (kind.belongsTo === 'tenant') {
    if (!scope.grants.tenantWide) throw new Problem('not-found');
    return { row, kind, target: createTenantTarget(tenant, requireWholeTenant(scope)) };
  }
  const bank = findCoveredBank(scope, { bankId: row.bank_id });
  if (bank === undefined || !isWhole(bank)) throw new Problem('not-found');
  return { row, kind, target: createBankTarget(tenant, bank) };
}

/** Throws 400 if the kind needs a bank and has none, or the other way round, and what the grants do not cover. */
export function createRequestTarget(
  kind: ImportKind,
  { tenant }: { readonly tenant: Tenant },
  scope: Scope,
  bankKid: BankKey | undefined,
): ImportTarget {
  if (kind.belongsTo === 'tenant') {
    if (bankKid !== undefined)
      throw createFieldProblem('query.bankKid', `must be left out: ${kind.name} belong to no bank`);
    return createTenantTarget(tenant, requireWholeTenant(scope));
  }
  if (bankKid === undefined) throw createFieldProblem('query.bankKid', `is missing: ${kind.name} belong to a bank`);
  return createBankTarget(tenant, requireWholeCoverage(requireCoveredBank(scope, bankKid)));
}

/** For work that a request, whose rights were checked, or an operator has asked for. */
export function createWorkTarget(tenant: Tenant, kind: ImportKind, bankId: number): ImportTarget {
  const scope = createOperatorScope(tenant.name);
  return kind.belongsTo === 'tenant'
    ? createTenantTarget(tenant, requireWholeTenant(scope))
    : createBankTarget(tenant, requireWholeCoverage(requireCoveredBank(scope, { bankId })));
}

export const kindOf = ({ kind }: Pick<ImportRow, 'kind'>): ImportKind => importKinds[kind as ImportKindName];

// A kind uses the one of the two that it belongs to.
const createBankTarget = (tenant: Tenant, bank: WholeGrantedBank): ImportTarget =>
  ({ tenant, bank }) as unknown as ImportTarget;

const createTenantTarget = (tenant: Tenant, wholeTenant: WholeTenant): ImportTarget =>
  ({ tenant, wholeTenant }) as unknown as ImportTarget;
