// The whole proof of a ledger, as `verify ledger` makes it.

import { ledgerChecks } from '../../src/commands/verify-ledger.ts';
import type { Db } from '../../src/database/db.ts';
import { runLedgerChecks, type LedgerDifference } from '../../src/features/account/verification/ledger-check.ts';
import type { TestService } from './service.ts';

/** All damage that the checks find. */
export async function findDamages(db: Db, bankId: number, batchRows?: number): Promise<LedgerDifference[]> {
  const damages: LedgerDifference[] = [];
  const collect = (damage: LedgerDifference): void => void damages.push(damage);
  await runLedgerChecks(db, bankId, ledgerChecks, { tell: collect, ...(batchRows === undefined ? {} : { batchRows }) });
  return damages;
}

export const verifyBankLedger = (
  { services }: Pick<TestService, 'services'>,
  bankId: number,
  tenant = 'sund',
): Promise<LedgerDifference[]> =>
  services.databases.forTenant(tenant).read({ deadlineMs: 60_000 }, (db) => findDamages(db, bankId));
