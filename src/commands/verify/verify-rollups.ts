// `verify`: checks the roll-ups of every ledger against its postings. Exits with 1 if they differ.

import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import { listLedgerBanks } from '../../features/account/queries/ledger-verification.ts';
import { verifyBankRollups, type RollupVerification } from '../../features/account/verification/verify-bank-rollups.ts';
import { formatBankKid } from '../../lib/kid.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';

const deadlineMs = 3_600_000;

export async function verifyRollups(config: Config, names: readonly string[] | undefined): Promise<void> {
  const databases = openDatabases(config.storage);
  let differenceCount = 0;
  try {
    const tenants = selectTenants(config, names).map(({ name }) => name);
    await runForEachTenant(databases, tenants, async (name) => {
      const database = databases.forTenant(name);
      const scope = createOperatorScope(name);
      for (const bank of await database.read({ deadlineMs }, (db) => listLedgerBanks(db, scope))) {
        const verification = await database.read({ deadlineMs }, (db) => verifyBankRollups(db, bank));
        differenceCount += verification.differenceCount;
        process.stdout.write(formatVerification(formatBankKid(name, bank.bankId), verification));
      }
    });
  } finally {
    await databases.close();
  }
  if (differenceCount > 0)
    throw new CommandError(`${differenceCount} differences between postings and their stored sums`, 1);
}

function formatVerification(bankKid: string, verification: RollupVerification): string {
  const { postingCount, rollupCount, differenceCount, differences } = verification;
  const lines = differences.map(
    ({ key, stored = 'nothing', computed = 'nothing' }) => `  ${key}: stored ${stored}, computed ${computed}`,
  );
  const summary = `${bankKid}: ${postingCount} postings, ${rollupCount} roll-ups, ${differenceCount} differences`;
  return `${[summary, ...lines].join('\n')}\n`;
}
