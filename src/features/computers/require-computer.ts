// Finds the computer that a request names. Throws 404 if there is none, or the grants cover none of its units.

import type { Db } from '../../database/db.ts';
import type { KidOf } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { requireBank } from '../places/require-place.ts';
import { findComputer, type ComputerRow } from './queries/computers.ts';

export type ComputerKid = KidOf<'computer'>;

export type FoundComputer<B extends GrantedBank = GrantedBank> = { readonly bank: B; readonly row: ComputerRow };

export async function requireComputer<B extends GrantedBank>(
  db: Db,
  bank: B,
  computerId: number,
): Promise<FoundComputer<B>> {
  const [row] = await Promise.all([findComputer(db, bank, computerId), requireBank(db, bank)]);
  if (row === undefined) throw new Problem('not-found');
  return { bank, row };
}
