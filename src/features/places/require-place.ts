// Reads a bank, location or unit that the grants cover. Throws 404 if it does not exist, or if it or a place that it
// belongs to is deleted.

import type { ManagerContext } from '../../http/context/operation-context.ts';
import type { Db } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import {
  isWhole,
  requireCoveredBank,
  requireWholeCoverage,
  type BankKey,
  type GrantedBank,
  type GrantedLocation,
  type GrantedUnit,
  type WholeGrantedBank,
} from '../../permissions/coverage.ts';
import {
  findVisibleBank,
  findVisibleLocation,
  findVisibleUnit,
  type VisibleBankRow,
  type VisibleLocationRow,
  type VisibleUnitRow,
} from './queries/visible-places.ts';

export const requireBank = async (db: Db, bank: GrantedBank): Promise<VisibleBankRow> =>
  orNotFound(await findVisibleBank(db, bank));

/**
 * Checks only the grant: a bank that is granted as a whole is not read, and may not exist (`requireBank`). Throws 403
 * if only some locations of a bank are granted, and 404 if that bank does not exist.
 */
export async function requireWholeGrant(db: Db, bank: GrantedBank): Promise<WholeGrantedBank> {
  if (!isWhole(bank)) await requireBank(db, bank);
  return requireWholeCoverage(bank);
}

/** Before a write takes its locks: nothing is locked if the grants are too narrow. */
export async function requireWholeBeforeLocks(context: ManagerContext, kid: BankKey): Promise<void> {
  const bank = requireCoveredBank(context.scope, kid);
  if (!isWhole(bank)) await context.read((db) => requireWholeGrant(db, bank));
}

/** The location and its bank. */
export const requireLocation = async (db: Db, location: GrantedLocation): Promise<VisibleLocationRow> =>
  orNotFound(await findVisibleLocation(db, location));

/** The unit, its location and its bank. */
export const requireUnit = async (db: Db, unit: GrantedUnit): Promise<VisibleUnitRow> =>
  orNotFound(await findVisibleUnit(db, unit));

/** Finds a unit also if it or its location was deleted since that instant (MS2000). */
export const requireRetainedUnit = async (db: Db, unit: GrantedUnit, deletedSince: number): Promise<VisibleUnitRow> =>
  orNotFound(await findVisibleUnit(db, unit, deletedSince));

function orNotFound<T>(row: T | undefined): T {
  if (row === undefined) throw new Problem('not-found');
  return row;
}
