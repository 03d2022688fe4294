// `verify ledger`: checks every ledger in one pass over its postings, and prints the first difference of each kind. Exits
// with 1 if there is a difference.

import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { listLedgerBanks } from '../../features/account/queries/ledger-verification.ts';
import { chainCheck, sequenceCheck, fingerprintCheck } from '../../features/account/verification/chain-check.ts';
import { deviceSyncCheck } from '../../features/account/verification/device-sync-check.ts';
import type { LedgerCheck } from '../../features/account/verification/ledger-check.ts';
import { periodCheck } from '../../features/account/verification/period-check.ts';
import { reversalCheck } from '../../features/account/verification/reversal-check.ts';
import { residentRollupCheck, rollupCheck } from '../../features/account/verification/stored-sums-check.ts';
import { runLedgerChecks, type LedgerCheckResult } from '../../features/account/verification/run-ledger-checks.ts';
import { settlementCheck } from '../../features/settlements/commands/settlement-check.ts';
import { formatBankKid } from '../../lib/kid.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { selectBanks } from '../select-banks.ts';
import { selectTenants } from '../select-tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';

/** All checks of a ledger. */
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
  const selections = new Map(selectLedgers(config, onlyTenant, bank).map(({ tenant, bankId }) => [tenant, bankId]));
  const databases = openDatabases(config.storage);
  let ledgerCount = 0;
  let damagedCount = 0;
  try {
    await runForEachTenant(databases, [...selections.keys()], async (tenant) => {
      const database = databases.forTenant(tenant);
      for (const ledgerBank of await listBanks(database, tenant, selections.get(tenant))) {
        const result = await database.read({ deadlineMs }, (db) =>
          runLedgerChecks(db, ledgerBank, ledgerChecks, { maxListedPerKind: 1 }),
        );
        process.stdout.write(formatResult(ledgerBank, result));
        ledgerCount += 1;
        if (result.differences.length > 0) damagedCount += 1;
      }
    });
  } finally {
    await databases.close();
  }
  if (bank !== undefined && ledgerCount === 0) throw new CommandError(`--bank ${bank}: there is no such bank`);
  if (damagedCount > 0) throw new CommandError(`${damagedCount} of ${ledgerCount} ledgers are damaged`, 1);
}

type LedgerSelection = {
  readonly tenant: string;
  /** Undefined for all banks of the tenant. */
  readonly bankId: number | undefined;
};

function selectLedgers(
  config: Config,
  onlyTenant: readonly string[] | undefined,
  bank: string | undefined,
): LedgerSelection[] {
  const tenants = selectTenants(config, onlyTenant).map(({ name }) => name);
  return bank === undefined ? tenants.map((tenant) => ({ tenant, bankId: undefined })) : selectBanks(tenants, bank);
}

async function listBanks(
  database: TenantDatabase,
  tenant: string,
  bankId: number | undefined,
): Promise<WholeGrantedBank[]> {
  const banks = await database.read({ deadlineMs }, (db) => listLedgerBanks(db, createOperatorScope(tenant)));
  return bankId === undefined ? banks : banks.filter((each) => each.bankId === bankId);
}

function formatResult({ tenant, bankId }: WholeGrantedBank, { counts, differences }: LedgerCheckResult): string {
  const countTexts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const verdict = differences.length === 0 ? 'sound' : 'DAMAGED';
  const lines = differences.flatMap(({ kind, count, listed }) =>
    listed.map(({ key, stored = 'nothing', computed = 'nothing' }) => {
      const more = count === 1 ? '' : ` (the first of ${count})`;
      return `  ${kind}: ${key}: stored ${stored}, computed ${computed}${more}`;
    }),
  );
  return `${[`${formatBankKid(tenant, bankId)}: ${countTexts.join(', ')}: ${verdict}`, ...lines].join('\n')}\n`;
}
