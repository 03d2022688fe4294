// `settle`: closes a bank's open settlement period. All that it does is one transaction on the ledger's guard row, which
// is all that keeps two of them apart: whoever comes second finds the period closed that it had seen open, and refuses.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import type { WriteDb } from '../database/db.ts';
import { StorageError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { closeOpenPeriod } from '../features/account/queries/ledger.ts';
import { lockLedgerForWrite, findLedgerHead, type LedgerHead } from '../features/account/queries/ledger-head.ts';
import { toMs2000, formatUtc } from '../lib/ms2000.ts';
import { selectBankId } from './select-banks.ts';
import { CommandError } from './command-error.ts';
import { requireMigrated } from './require-migrated.ts';
import { selectTenant } from './select-tenants.ts';

export type SettleOptions = {
  readonly tenant: string;
  readonly bank: string;
  /** The period that is expected to be open. */
  readonly period?: number;
  /** MS2000; now, where it is left out. */
  readonly through?: number;
};

const deadlineMs = 30_000;

export async function settle(config: Config, options: SettleOptions): Promise<void> {
  const { name } = selectTenant(config.tenants, options.tenant);
  const bankId = selectBankId(name, options.bank);
  const now = toMs2000(Date.now());
  const { period, through = now } = options;
  if (through > now) throw new CommandError(`--through ${formatUtc(through)} lies in the future`);
  const databases = openDatabases(config.storage);
  try {
    await requireMigrated(databases, name);
    const bankKid = `${name}-B${bankId}`;
    const outcomeText = await closePeriod(databases.forTenant(name), { bankId, bankKid, period, through, now });
    process.stdout.write(`${bankKid}: ${outcomeText}\n`);
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== 'outcome-unknown') throw error;
    throw new CommandError('it is not known whether the period was closed: look before you run it again', 1);
  } finally {
    await databases.close();
  }
}

type ClosePeriodInput = {
  readonly bankId: number;
  readonly bankKid: string;
  readonly period: number | undefined;
  readonly through: number;
  readonly now: number;
};

async function closePeriod(database: TenantDatabase, input: ClosePeriodInput): Promise<string> {
  const { bankId, bankKid, period, through, now } = input;
  const headBefore = await database.read({ deadlineMs }, (db) => findLedgerHead(db, bankId));
  if (headBefore === undefined) throw new CommandError(`--bank: there is no bank ${bankKid}`);
  const requestedPeriod = period ?? headBefore.openPeriod;
  if (requestedPeriod > headBefore.openPeriod)
    throw new CommandError(`period ${requestedPeriod} is not open yet: period ${headBefore.openPeriod} is`, 1);
  const alreadyClosedText = `period ${requestedPeriod} was closed already; nothing was changed`;
  if (requestedPeriod < headBefore.openPeriod) return alreadyClosedText;
  return database.write({ deadlineMs }, async (db) => {
    const head = await lockLedgerForWrite(db, bankId, 0);
    if (head?.openPeriod !== requestedPeriod) {
      if (period !== undefined) return alreadyClosedText;
      throw new CommandError(`another settle closed period ${requestedPeriod} meanwhile`, 1);
    }
    if (period === undefined) await requirePostings(db, head);
    requireLaterEnd(head, through);
    await closeOpenPeriod(db, head, through, now);
    return `period ${requestedPeriod} closed through ${formatUtc(through)}; period ${requestedPeriod + 1} is open`;
  });
}

/** A second settle, begun as the first one ended, would close the next period too if nobody said that it should not. */
async function requirePostings(db: WriteDb, { bankId, nextPostingId, openPeriod }: LedgerHead): Promise<void> {
  const last = await db
    .selectFrom('postings')
    .select('period')
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', nextPostingId - 1)
    .executeTakeFirst();
  if (last?.period !== openPeriod)
    throw new CommandError(`period ${openPeriod} has no postings: --period ${openPeriod} closes it all the same`, 1);
}

function requireLaterEnd({ openPeriod, openedAt }: LedgerHead, through: number): void {
  if (through <= openedAt)
    throw new CommandError(
      `period ${openPeriod} began at ${formatUtc(openedAt)}: it cannot end at ${formatUtc(through)}`,
      1,
    );
}
