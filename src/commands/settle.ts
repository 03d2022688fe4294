// `settle`: closes a bank's open settlement period. All that it does is one transaction on the ledger's guard row, which
// is all that keeps two of them apart: whoever comes second finds the period closed that it had seen open, and refuses.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import type { WriteDb } from '../database/dialect.ts';
import { StorageError } from '../database/errors.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { closeOpenPeriod } from '../features/account/ledger.ts';
import { bumpLedger, findLedgerHead, type LedgerHead } from '../features/account/ledger-head.ts';
import { toMs2000, utcText } from '../lib/ms2000.ts';
import { chosenBankId } from './banks.ts';
import { CommandError } from './command-error.ts';
import { demandMigrated } from './databases.ts';
import { chosenTenant } from './tenants.ts';

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
  const { name } = chosenTenant(config.tenants, options.tenant);
  const bankId = chosenBankId(name, options.bank);
  const now = toMs2000(Date.now());
  const { period, through = now } = options;
  if (through > now) throw new CommandError(`--through ${utcText(through)} lies in the future`);
  const databases = openDatabases(config.storage);
  try {
    await demandMigrated(databases, name);
    const bankKid = `${name}-B${bankId}`;
    const told = await close(databases.of(name), { bankId, bankKid, period, through, now });
    process.stdout.write(`${bankKid}: ${told}\n`);
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== 'outcome-unknown') throw error;
    throw new CommandError('it is not known whether the period was closed: look before you run it again', 1);
  } finally {
    await databases.close();
  }
}

type Asked = {
  readonly bankId: number;
  readonly bankKid: string;
  readonly period: number | undefined;
  readonly through: number;
  readonly now: number;
};

async function close(database: TenantDatabase, asked: Asked): Promise<string> {
  const { bankId, bankKid, period, through, now } = asked;
  const seen = await database.read({ deadlineMs }, (db) => findLedgerHead(db, bankId));
  if (seen === undefined) throw new CommandError(`--bank: there is no bank ${bankKid}`);
  const wanted = period ?? seen.openPeriod;
  if (wanted > seen.openPeriod)
    throw new CommandError(`period ${wanted} is not open yet: period ${seen.openPeriod} is`, 1);
  const already = `period ${wanted} was closed already; nothing was changed`;
  if (wanted < seen.openPeriod) return already;
  return database.write({ deadlineMs }, async (db) => {
    const head = await bumpLedger(db, bankId, 0);
    if (head?.openPeriod !== wanted) {
      if (period !== undefined) return already;
      throw new CommandError(`another settle closed period ${wanted} meanwhile`, 1);
    }
    if (period === undefined) await refuseEmpty(db, head);
    refuseBackwards(head, through);
    await closeOpenPeriod(db, head, through, now);
    return `period ${wanted} closed through ${utcText(through)}; period ${wanted + 1} is open`;
  });
}

/** A second settle, begun as the first one ended, would close the next period too if nobody said that it should not. */
async function refuseEmpty(db: WriteDb, { bankId, nextId, openPeriod }: LedgerHead): Promise<void> {
  const last = await db
    .selectFrom('postings')
    .select('period')
    .where('bank_id', '=', bankId)
    .where('posting_id', '=', nextId - 1)
    .executeTakeFirst();
  if (last?.period !== openPeriod)
    throw new CommandError(`period ${openPeriod} has no postings: --period ${openPeriod} closes it all the same`, 1);
}

function refuseBackwards({ openPeriod, openedAt }: LedgerHead, through: number): void {
  if (through <= openedAt)
    throw new CommandError(
      `period ${openPeriod} began at ${utcText(openedAt)}: it cannot end at ${utcText(through)}`,
      1,
    );
}
