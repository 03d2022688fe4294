// `verify inflow`: checks that each line of computers was booked or held once, and prints the first difference of each
// kind. Exits with 1 if there is a difference.

import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import { listLedgerBanks } from '../../features/account/queries/ledger-verification.ts';
import { verifyInflow, type VerifiedInflow } from '../../features/inflow/commands/verify-inflow.ts';
import { formatBankKid } from '../../lib/kid.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';

const deadlineMs = 3_600_000;

export async function verifyInflows(config: Config, onlyTenant: readonly string[] | undefined): Promise<void> {
  const tenants = selectTenants(config, onlyTenant).map(({ name }) => name);
  const databases = openDatabases(config.storage);
  let bankCount = 0;
  let damagedCount = 0;
  try {
    await runForEachTenant(databases, tenants, async (tenant) => {
      const database = databases.forTenant(tenant);
      const banks = await database.read({ deadlineMs }, (db) => listLedgerBanks(db, createOperatorScope(tenant)));
      for (const bank of banks) {
        const verified = await database.read({ deadlineMs }, (db) => verifyInflow(db, bank));
        process.stdout.write(formatResult(bank, verified));
        bankCount += 1;
        if (verified.differences.length > 0) damagedCount += 1;
      }
    });
  } finally {
    await databases.close();
  }
  if (damagedCount > 0) throw new CommandError(`the streams of ${damagedCount} of ${bankCount} banks are damaged`, 1);
}

function formatResult(
  { tenant, bankId }: WholeGrantedBank,
  { epochs, lines, held, differences }: VerifiedInflow,
): string {
  const verdict = differences.length === 0 ? 'sound' : 'DAMAGED';
  const summary = `${formatBankKid(tenant, bankId)}: ${epochs} streams, ${lines} lines, ${held} held: ${verdict}`;
  const ofKinds = Map.groupBy(differences, ({ kind }) => kind);
  const details = [...ofKinds].map(([kind, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` (the first of ${others.length + 1})`;
    return `  ${kind}: ${first?.key}: stored ${first?.stored}, computed ${first?.computed}${more}`;
  });
  return `${[summary, ...details].join('\n')}\n`;
}
