// `anonymise`: erases the personal data of residents whose retention has run out. Run it daily while the service runs.

import type { Config } from '../../config.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import {
  addCounts,
  anonymiseResidents,
  nobody,
  type AnonymisedCounts,
} from '../../features/residents/commands/anonymise-residents.ts';
import { listResidentBanks } from '../../features/residents/queries/due-residents.ts';
import { readRetentionSetting, retentionSettingName } from '../../features/residents/queries/retention-setting.ts';
import { createExpiryRule, hasRetention } from '../../features/residents/rules/expiry.ts';
import { deleteEndedFailureCounts } from '../../features/failed-attempts/queries/failure-counts.ts';
import { deleteOtherRequestCounts } from '../../http/limits/queries/request-counts.ts';
import { formatBankKid } from '../../lib/kid.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { eraseStoredAnswers } from './erase-stored-answers.ts';
import { selectTenants } from '../select-tenants.ts';
import { isOutcomeUnknown, runForEachTenant } from '../storage-failures.ts';

type AnonymiseOptions = {
  readonly tenant?: string[];
  readonly dryRun?: boolean;
  readonly allDeleted?: boolean;
};

const deadlineMs = 60_000;

export async function anonymise(config: Config, options: AnonymiseOptions): Promise<void> {
  await runForEachTenant(config, selectTenants(config, options.tenant), ({ name: tenant }, database) =>
    anonymiseTenant(database, tenant, options).catch((error: unknown) => {
      if (!isOutcomeUnknown(error)) throw error;
      throw new CommandError(`${tenant}: it is not known whether the last residents were erased: run it again`, 1);
    }),
  );
}

export async function anonymiseTenant(
  database: TenantDatabase,
  tenant: string,
  { dryRun: isDryRun = false, allDeleted = false }: AnonymiseOptions,
): Promise<void> {
  const [banks, retentionSetting] = await database.read({ deadlineMs }, (db) =>
    Promise.all([listResidentBanks(db, createOperatorScope(tenant)), readRetentionSetting(db)]),
  );
  const clock = (): number => toMs2000(Date.now());
  const now = clock();
  const rule = createExpiryRule({ retentionSetting, expiresAllDeleted: allDeleted }, now);
  const write = (text: string): void => void process.stdout.write(`${isDryRun ? 'dry run: ' : ''}${text}\n`);
  let total = nobody;
  for (const bank of banks) {
    const counts = await anonymiseResidents(database, { bank, rule, isDryRun, clock, deadlineMs });
    if (counts.erased > 0) write(`${formatBankKid(tenant, bank.bankId)}: ${formatCounts(counts)}`);
    total = addCounts(total, counts);
  }
  if (!isDryRun) {
    await eraseStoredAnswers(database, { tenant, now, deadlineMs });
    // The service deletes them only with later ones.
    await database.write({ deadlineMs }, async (db) => {
      await deleteEndedFailureCounts(db, now);
      await deleteOtherRequestCounts(db, now);
    });
  }
  const notice = hasRetention(retentionSetting) ? '' : formatMissingRetention(allDeleted);
  write(`${tenant}: ${formatCounts(total)}${notice}`);
}

const formatCounts = ({ expired, erased, keys }: AnonymisedCounts): string =>
  `${expired} expired, ${erased} erased, ${keys} keys removed`;

/** Says why none of the deleted residents expired, or why all of them did. */
const formatMissingRetention = (allDeleted: boolean): string =>
  allDeleted
    ? `; ${retentionSettingName} is zero or missing, so every deleted resident expires`
    : `; ${retentionSettingName} is zero or missing, so no deleted resident expires without --all-deleted`;
