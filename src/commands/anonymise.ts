// `anonymise`: erases the personal data of residents whose retention has run out. It is run daily, beside the service.

import type { Config } from '../config.ts';
import { openDatabases, type Databases } from '../database/databases.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import {
  addCounts,
  anonymiseResidents,
  nobody,
  type AnonymisedCounts,
} from '../features/residents/anonymise-residents.ts';
import { listResidentBanks, listResidentsErasedSince } from '../features/residents/queries/due-residents.ts';
import { readRetentionSetting, retentionSettingName } from '../features/residents/queries/retention-setting.ts';
import { createExpiryRule, hasRetention } from '../features/residents/rules/expiry.ts';
import { answerRetentionMs } from '../http/idempotent-write.ts';
import {
  deleteIdempotencyRecordsUntil,
  eraseStoredAnswer,
  findEndOfExpiredBatch,
  listStoredAnswers,
  type IdempotencyKey,
} from '../http/queries/idempotency-records.ts';
import { formatBankKid, formatUserKid } from '../lib/kid.ts';
import { toMs2000 } from '../lib/ms2000.ts';
import { createOperatorScope } from '../permissions/scope.ts';
import { CommandError } from './command-error.ts';
import { selectTenants } from './select-tenants.ts';
import { isOutcomeUnknown, runForEachTenant } from './storage-failures.ts';

export type AnonymiseOptions = {
  readonly tenant?: string[];
  readonly dryRun?: boolean;
  readonly allDeleted?: boolean;
};

const deadlineMs = 60_000;

export async function anonymise(config: Config, options: AnonymiseOptions): Promise<void> {
  const tenants = selectTenants(config, options.tenant).map(({ name }) => name);
  const databases = openDatabases(config.storage);
  try {
    await runForEachTenant(databases, tenants, (tenant) =>
      anonymiseTenant(databases, tenant, options).catch((error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        throw new CommandError(`${tenant}: it is not known whether the last residents were erased: run it again`, 1);
      }),
    );
  } finally {
    await databases.close();
  }
}

async function anonymiseTenant(
  databases: Databases,
  tenant: string,
  { dryRun: isDryRun = false, allDeleted = false }: AnonymiseOptions,
): Promise<void> {
  const database = databases.forTenant(tenant);
  const [banks, retentionSetting] = await database.read({ deadlineMs }, (db) =>
    Promise.all([listResidentBanks(db, createOperatorScope(tenant)), readRetentionSetting(db)]),
  );
  const now = toMs2000(Date.now());
  const rule = createExpiryRule({ retentionSetting, expiresAllDeleted: allDeleted }, now);
  const write = (text: string): void => void process.stdout.write(`${isDryRun ? 'dry run: ' : ''}${text}\n`);
  let total = nobody;
  for (const bank of banks) {
    const counts = await anonymiseResidents(database, { bank, rule, isDryRun, deadlineMs });
    if (counts.erased > 0) write(`${formatBankKid(tenant, bank.bankId)}: ${formatCounts(counts)}`);
    total = addCounts(total, counts);
  }
  if (!isDryRun) {
    await deleteExpiredAnswers(database, now);
    await eraseAnswersAbout(database, await listErasedKids(database, tenant, now));
  }
  const notice = hasRetention(retentionSetting) ? '' : formatMissingRetention(allDeleted);
  write(`${tenant}: ${formatCounts(total)}${notice}`);
}

/**
 * Answers stored for Idempotency-Keys name residents. The service deletes expired ones with later writes, which may never
 * come.
 */
async function deleteExpiredAnswers(database: TenantDatabase, now: number): Promise<void> {
  for (;;) {
    const until = await database.read({ deadlineMs }, (db) => findEndOfExpiredBatch(db, now - answerRetentionMs));
    if (until === undefined) return;
    await database.write({ deadlineMs }, (db) => deleteIdempotencyRecordsUntil(db, until));
  }
}

/** The residents who were erased while stored answers can name them, by this run or an earlier one. */
async function listErasedKids(database: TenantDatabase, tenant: string, now: number): Promise<ReadonlySet<string>> {
  const residents = await database.read({ deadlineMs }, (db) =>
    listResidentsErasedSince(db, createOperatorScope(tenant), now - answerRetentionMs),
  );
  return new Set(
    residents.map(({ bank_id, resident_id }) => formatUserKid(formatBankKid(tenant, bank_id), resident_id)),
  );
}

async function eraseAnswersAbout(database: TenantDatabase, erasedKids: ReadonlySet<string>): Promise<void> {
  if (erasedKids.size === 0) return;
  let after: IdempotencyKey | undefined;
  for (;;) {
    const answers = await database.read({ deadlineMs }, (db) => listStoredAnswers(db, after));
    const last = answers.at(-1);
    if (last === undefined) return;
    const naming = answers.filter(({ body }) =>
      (body.match(/[a-z\d]+-B\d+-R\d+/g) ?? []).some((kid) => erasedKids.has(kid)),
    );
    if (naming.length > 0)
      await database.write({ deadlineMs }, async (db) => {
        for (const answer of naming) await eraseStoredAnswer(db, answer);
      });
    after = last;
  }
}

const formatCounts = ({ expired, erased, keys }: AnonymisedCounts): string =>
  `${expired} expired, ${erased} erased, ${keys} keys removed`;

/** Why no deleted resident expired, or all of them. */
const formatMissingRetention = (allDeleted: boolean): string =>
  allDeleted
    ? `; ${retentionSettingName} is zero or missing, so every deleted resident expires`
    : `; ${retentionSettingName} is zero or missing, so no deleted resident expires without --all-deleted`;
