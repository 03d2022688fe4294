// Whether the grants reach the whole of one bank, for the operations that need that.

import type { Db } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';
import { coverageOf } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';

/** Throws 403 where only some of the bank's locations are granted, and 404 where the bank is missing or out of sight. */
export async function requireWholeBank(db: Db, { grants }: Scope, bankId: number): Promise<void> {
  const coverage = coverageOf(grants, bankId);
  if (coverage === 'all') return;
  if (coverage === undefined || !(await bankExists(db, bankId))) throw new Problem('not-found');
  throw new Problem('forbidden', { detail: 'The operation needs a bank-wide grant.' });
}

async function bankExists(db: Db, bankId: number): Promise<boolean> {
  const bank = db.selectFrom('banks').select('bank_id').where('bank_id', '=', bankId).where('deleted_at', 'is', null);
  return (await bank.executeTakeFirst()) !== undefined;
}
