// Finds an import by its KID. Throws the same 404 whether it does not exist, or belongs to a bank that the grants do not
// cover as a whole, or to the tenant and the grants do not.

import type { Db } from '../../database/db.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
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
import type { ImportKind, ImportTarget } from '../import-kinds/import-kind.ts';
import { importKinds } from '../import-kinds/import-kinds.ts';
import { findImport, type StoredImport } from './queries/imports.ts';
import type { ImportKindName } from '../import-kinds/rules/kind-names.ts';

/** `now` is in MS2000. */
type TargetContext = { readonly tenant: Tenant; readonly now: number };

export type FoundImport = { readonly row: StoredImport; readonly kind: ImportKind; readonly target: ImportTarget };

/** Checks only the grants: what the kind needs besides is checked by the caller. */
export async function requireImport(
  db: Db,
  scope: Scope,
  { tenant, now }: TargetContext,
  importId: number,
): Promise<FoundImport> {
  const row = await findImport(db, importId);
  if (row === undefined) throw new Problem('not-found');
  const kind = importKindOf(row);
  if (kind.belongsTo === 'tenant') {
    if (!scope.grants.tenantWide) throw new Problem('not-found');
    return { row, kind, target: createTenantTarget({ tenant, now }, requireWholeTenant(scope)) };
  }
  const bank = findCoveredBank(scope, { bankId: row.bank_id });
  if (bank === undefined || !isWhole(bank)) throw new Problem('not-found');
  return { row, kind, target: createViewedTarget({ tenant, now }, scope, bank) };
}

/** Throws 400 if the kind needs a bank and has none, or the other way round, and what the grants do not cover. */
export function createRequestTarget(
  kind: ImportKind,
  context: TargetContext,
  scope: Scope,
  bankKid: BankKey | undefined,
): ImportTarget {
  if (kind.belongsTo === 'tenant') {
    if (bankKid !== undefined)
      throw createFieldProblem('query.bankKid', `must be left out: ${kind.name} belong to no bank`);
    return createTenantTarget(context, requireWholeTenant(scope));
  }
  if (bankKid === undefined) throw createFieldProblem('query.bankKid', `is missing: ${kind.name} belong to a bank`);
  return createViewedTarget(context, scope, requireWholeCoverage(requireCoveredBank(scope, bankKid)));
}

/**
 * For work that a request, whose rights were checked, or an operator has asked for. It has no viewer: a plan has shown what
 * its manager sees.
 */
export function createWorkTarget(context: TargetContext, kind: ImportKind, bankId: number): ImportTarget {
  const scope = createOperatorScope(context.tenant.name);
  return kind.belongsTo === 'tenant'
    ? createTenantTarget(context, requireWholeTenant(scope))
    : createBankTarget(context, scope, requireWholeCoverage(requireCoveredBank(scope, { bankId })));
}

export const importKindOf = ({ kind }: Pick<StoredImport, 'kind'>): ImportKind => importKinds[kind as ImportKindName];

// A kind uses the one of the two that it belongs to.
const createBankTarget = (
  { tenant, now }: TargetContext,
  { grants: { tenantWide: showsDisabled } }: Scope,
  bank: WholeGrantedBank,
): ImportTarget => ({ tenant, now, bank, showsDisabled }) as unknown as ImportTarget;

const createViewedTarget = (context: TargetContext, scope: Scope, bank: WholeGrantedBank): ImportTarget => ({
  ...createBankTarget(context, scope, bank),
  viewer: { retentionDays: scope.retentionDays },
});

const createTenantTarget = ({ tenant, now }: TargetContext, wholeTenant: WholeTenant): ImportTarget =>
  ({ tenant, now, wholeTenant, showsDisabled: true }) as unknown as ImportTarget;
