// `verify`: proves every ledger's roll-ups against its postings. Exit 1 where they differ.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { verifyLedger } from '../features/account/verification/verify-ledger.ts';
import { CommandError } from './command-error.ts';
import { requireMigrated } from './require-migrated.ts';
import { selectTenants } from './select-tenants.ts';

const deadlineMs = 3_600_000;

export async function verifyRollups(config: Config, names: readonly string[] | undefined): Promise<void> {
  const databases = openDatabases(config.storage);
  let differences = 0;
  try {
    for (const { name } of selectTenants(config, names)) {
      await requireMigrated(databases, name);
      const database = databases.forTenant(name);
      const ledgers = await database.read({ deadlineMs }, (db) =>
        db.selectFrom('ledgers').select('bank_id').orderBy('bank_id').execute(),
      );
      for (const { bank_id: bankId } of ledgers) {
        const verdict = await database.read({ deadlineMs }, (db) => verifyLedger(db, bankId));
        differences += verdict.differenceCount;
        process.stdout.write(
          `${name}-B${bankId}: ${verdict.postingCount} postings, ${verdict.rollupCount} roll-ups, ${verdict.differenceCount} differences\n`,
        );
        for (const { key, stored, computed } of verdict.differences)
          process.stdout.write(`  ${key}: stored ${stored ?? 'nothing'}, computed ${computed ?? 'nothing'}\n`);
      }
    }
  } finally {
    await databases.close();
  }
  if (differences > 0)
    throw new CommandError(`${differences} differences between postings and what is kept of them`, 1);
}
