// Finds a resident by KID. Throws the same 404 whether the resident does not exist, is not visible, or belongs to a
// location that the grants do not cover.

import type { Db } from '../../database/db.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import { guestId, type KidOf } from '../../lib/kid.ts';
import { requireCoveredBank, requireWholeCoverage, type GrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { createResidentNotFoundProblem, requireCoveredResident } from '../residents/rules/resident-visibility.ts';
import { findResident, type ResidentRow } from './queries/residents.ts';
import type { VisibleResident } from './read-workspace.ts';

export type ResidentInput = { readonly bankKid: KidOf<'bank'>; readonly userKid: KidOf<'user'> };

/** A resident of a bank that the grants cover. It is not read yet whether the resident exists. */
type GrantedResident = { readonly scope: Scope; readonly bank: GrantedBank; readonly residentId: number };

/** Throws 400 for the guest and the GDPR user, and 404 if no grant covers the bank. Reads nothing. */
export function requireGrantedResident(scope: Scope, { bankKid, userKid }: ResidentInput): GrantedResident {
  if (userKid.residentId <= guestId)
    throw createFieldProblem('path.userKid', 'must identify a resident', 'invalid-user');
  const bank = requireCoveredBank(scope, bankKid);
  if (userKid.bankId !== bank.bankId) throw createResidentNotFoundProblem();
  return { scope, bank, residentId: userKid.residentId };
}

export async function requireResident(
  db: Db,
  { scope, bank, residentId }: GrantedResident,
  now: number,
): Promise<VisibleResident> {
  const row = await findResident(db, bank, residentId);
  return { bank, row: requireCoveredResident(row, bank.coverage, scope.retentionDays, now) };
}

/** Finds a resident of a bank that must be granted as a whole. Throws 403 if only some of its locations are granted. */
export async function requireAdministeredResident(
  db: Db,
  granted: GrantedResident,
  now: number,
): Promise<VisibleResident & { readonly row: ResidentRow }> {
  const resident = await requireResident(db, granted, now);
  requireWholeCoverage(granted.bank);
  return resident;
}

/**
 * Finds a resident also after a command has deleted the resident, even if the manager's RetentionDays does not show the
 * resident.
 */
export async function requireDeletableResident(
  db: Db,
  granted: GrantedResident,
  now: number,
): Promise<VisibleResident> {
  const { bank, residentId } = granted;
  const row = await findResident(db, bank, residentId);
  const shown = requireCoveredResident(row && { ...row, deleted_at: null }, bank.coverage, 0, now);
  requireWholeCoverage(bank);
  return { bank, row: { ...shown, deleted_at: row?.deleted_at ?? null } };
}
