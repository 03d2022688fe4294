// Verifies one bank after the other, as several commands do.

import type { Config } from '../../config.ts';
import type { Db } from '../../database/db.ts';
import { listLedgerBanks } from '../../features/account/queries/ledger-verification.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';

/** Reads all of a ledger. */
export const verifyDeadlineMs = 3_600_000;

type BankVerification<T> = {
  /** The only bank of a tenant that is verified; undefined for all of them. */
  readonly onlyBankOf?: (tenant: string) => number | undefined;
  readonly verify: (db: Db, bank: WholeGrantedBank) => Promise<T>;
  /** What is printed of the result: lines with their ends. */
  readonly format: (bank: WholeGrantedBank, result: T) => string;
};

/** Returns the results of all banks that have a ledger. */
export async function verifyBanks<T>(
  config: Config,
  tenants: readonly Tenant[],
  { onlyBankOf, verify, format }: BankVerification<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  const options = { deadlineMs: verifyDeadlineMs };
  await runForEachTenant(config, tenants, async ({ name }, database) => {
    const onlyBank = onlyBankOf?.(name);
    for (const bank of await database.read(options, (db) => listLedgerBanks(db, createOperatorScope(name)))) {
      if (onlyBank !== undefined && bank.bankId !== onlyBank) continue;
      const result = await database.read(options, (db) => verify(db, bank));
      process.stdout.write(format(bank, result));
      results.push(result);
    }
  });
  return results;
}

export const countDamaged = (results: readonly { readonly differences: readonly unknown[] }[]): number =>
  results.filter(({ differences }) => differences.length > 0).length;
