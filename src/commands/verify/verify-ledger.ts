// `verify ledger`: checks every ledger in one pass over its postings, and prints the first difference of each kind. Exits
// with 1 if there is a difference.

import type { Config } from '../../config.ts';
import { chainCheck, fingerprintCheck, sequenceCheck } from '../../features/account/verification/chain-check.ts';
import { deviceSyncCheck } from '../../features/account/verification/device-sync-check.ts';
import type { LedgerCheck } from '../../features/account/verification/ledger-check.ts';
import { periodCheck } from '../../features/account/verification/period-check.ts';
import { reversalCheck } from '../../features/account/verification/reversal-check.ts';
import { residentRollupCheck, rollupCheck } from '../../features/account/verification/stored-sums-check.ts';
import { runLedgerChecks, type LedgerCheckResult } from '../../features/account/verification/run-ledger-checks.ts';
import { settlementCheck } from '../../features/settlements/commands/settlement-check.ts';
import { formatBankKid } from '../../lib/kid.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { CommandError } from '../command-error.ts';
import { selectBanks } from '../select-banks.ts';
import { selectTenants } from '../select-tenants.ts';
import { countDamaged, verifyBanks } from './verify-banks.ts';

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

type VerifyLedgerOptions = { readonly tenant?: string[]; readonly bank?: string };

export async function verifyLedgers(config: Config, { tenant, bank }: VerifyLedgerOptions): Promise<void> {
  const tenants = selectTenants(config, tenant);
  const names = tenants.map(({ name }) => name);
  const bankOfTenant =
    bank === undefined ? undefined : new Map(selectBanks(names, bank).map((each) => [each.tenant, each.bankId]));
  const selected = bankOfTenant === undefined ? tenants : tenants.filter(({ name }) => bankOfTenant.has(name));
  const verified = await verifyBanks(config, selected, {
    onlyBankOf: (name) => bankOfTenant?.get(name),
    verify: (db, ledgerBank) => runLedgerChecks(db, ledgerBank, ledgerChecks, { maxListedPerKind: 1 }),
    format: formatResult,
  });
  if (bank !== undefined && verified.length === 0) throw new CommandError(`--bank ${bank}: there is no such bank`);
  const damaged = countDamaged(verified);
  if (damaged > 0) throw new CommandError(`${damaged} of ${verified.length} ledgers are damaged`, 1);
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
