// Runs all checks of a ledger, as `verify ledger` does.

import { ledgerChecks } from '../../src/commands/verify/verify-ledger.ts';
import type { Db } from '../../src/database/db.ts';
import type { LedgerDifference } from '../../src/features/account/verification/ledger-check.ts';
import { runLedgerChecks } from '../../src/features/account/verification/run-ledger-checks.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';

/** All differences that the checks find. */
export async function findLedgerDifferences(
  db: Db,
  bankId: number,
  batchSize?: number,
  tenant?: string,
): Promise<LedgerDifference[]> {
  const options = { batchSize, maxListedPerKind: Number.POSITIVE_INFINITY };
  const { differences } = await runLedgerChecks(db, grantBank(bankId, tenant), ledgerChecks, options);
  return differences.flatMap(({ listed }) => listed);
}

export const verifyBankLedger = (
  { dependencies }: Pick<TestService, 'dependencies'>,
  bankId: number,
  tenant = 'sund',
): Promise<LedgerDifference[]> =>
  dependencies.databases
    .forTenant(tenant)
    .read({ deadlineMs: 60_000 }, (db) => findLedgerDifferences(db, bankId, undefined, tenant));
