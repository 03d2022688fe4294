// `verify ledger`: proves every ledger in one pass over its postings and names the first row of each kind of damage.
// Exit 1 where there is any.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { chainCheck } from '../features/account/verification/chain-check.ts';
import {
  runLedgerChecks,
  type CheckedCounts,
  type LedgerDifference,
  type LedgerCheck,
} from '../features/account/verification/ledger-check.ts';
import { deviceSyncCheck } from '../features/account/verification/device-sync-check.ts';
import { fingerprintCheck } from '../features/account/verification/fingerprint-check.ts';
import { periodCheck } from '../features/account/verification/period-check.ts';
import { reversalCheck } from '../features/account/verification/reversal-check.ts';
import { residentRollupCheck, rollupCheck } from '../features/account/verification/rollup-checks.ts';
import { sequenceCheck } from '../features/account/verification/sequence-check.ts';
import { settlementCheck } from '../features/settlements/settlement-check.ts';
import { selectBanks } from './select-banks.ts';
import { CommandError } from './command-error.ts';
import { requireMigrated } from './require-migrated.ts';
import { selectTenants } from './select-tenants.ts';

/** Everything that a ledger must stand up to. */
export const ledgerChecks: readonly LedgerCheck[] = [
  sequenceCheck,
  chainCheck,
  fingerprintCheck,
  periodCheck,
  reversalCheck,
  rollupCheck,
  residentRollupCheck,
  settlementCheck,
  deviceSyncCheck,
];

const deadlineMs = 3_600_000;

export type VerifyLedgerOptions = { readonly tenant?: string[]; readonly bank?: string };

export async function verifyLedgers(config: Config, { tenant: onlyTenant, bank }: VerifyLedgerOptions): Promise<void> {
  const tenants = selectTenants(config, onlyTenant);
  const selectedBanks =
    bank === undefined
      ? tenants.map(({ name }) => ({ tenant: name, bankId: undefined }))
      : selectBanks(
          tenants.map(({ name }) => name),
          bank,
        );
  const databases = openDatabases(config.storage);
  let damaged = 0;
  let ledgers = 0;
  try {
    for (const { tenant, bankId } of selectedBanks) {
      await requireMigrated(databases, tenant);
      const database = databases.forTenant(tenant);
      for (const each of await listLedgers(database, bankId)) {
        const verification = await verifyOneLedger(database, each);
        process.stdout.write(formatVerification(`${tenant}-B${each}`, verification));
        ledgers += 1;
        if (verification.damages.length > 0) damaged += 1;
      }
    }
  } finally {
    await databases.close();
  }
  if (bank !== undefined && ledgers === 0) throw new CommandError(`--bank ${bank}: there is no such bank`);
  if (damaged > 0) throw new CommandError(`${damaged} of ${ledgers} ledgers are damaged`, 1);
}

async function listLedgers(database: TenantDatabase, bankId: number | undefined): Promise<number[]> {
  const rows = await database.read({ deadlineMs }, (db) => {
    const all = db.selectFrom('ledgers').select('bank_id').orderBy('bank_id');
    return (bankId === undefined ? all : all.where('bank_id', '=', bankId)).execute();
  });
  return rows.map(({ bank_id }) => bank_id);
}

/** The first damage of each kind, and how much of that kind there is. */
type LedgerVerification = {
  readonly counts: CheckedCounts;
  readonly damages: readonly { first: LedgerDifference; count: number }[];
};

async function verifyOneLedger(database: TenantDatabase, bankId: number): Promise<LedgerVerification> {
  const damages = new Map<string, { first: LedgerDifference; count: number }>();
  const recordDamage = (damage: LedgerDifference): void => {
    const known = damages.get(damage.kind);
    if (known === undefined) damages.set(damage.kind, { first: damage, count: 1 });
    else known.count += 1;
  };
  const counts = await database.read({ deadlineMs }, (db) =>
    runLedgerChecks(db, bankId, ledgerChecks, { tell: recordDamage }),
  );
  return { counts, damages: [...damages.values()] };
}

function formatVerification(bankKid: string, { counts, damages }: LedgerVerification): string {
  const counted = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const verdict = damages.length === 0 ? 'sound' : 'DAMAGED';
  const lines = damages.map(({ first: { kind, key, stored = 'nothing', computed = 'nothing' }, count }) => {
    const more = count === 1 ? '' : ` (the first of ${count})`;
    return `  ${kind}: ${key}: stored ${stored}, computed ${computed}${more}`;
  });
  return `${[`${bankKid}: ${counted.join(', ')}: ${verdict}`, ...lines].join('\n')}\n`;
}
