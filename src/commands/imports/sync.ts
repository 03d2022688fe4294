// `sync`: keeps a tenant in step with the files that another system leaves in a folder, once or until it is stopped.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import type { OperatorImports } from '../../features/imports/commands/import-by-operator.ts';
import { readSyncConfig } from '../../features/rent-sync/commands/read-sync-config.ts';
import { listFiles, prepareFolders } from '../../features/rent-sync/commands/sync-files.ts';
import { createFolderSync, type FolderSync } from '../../features/rent-sync/commands/sync-folder.ts';
import { lockFolder } from '../../features/rent-sync/commands/sync-lock.ts';
import { readSyncState } from '../../features/rent-sync/commands/sync-state.ts';
import { createChargesSource } from '../../features/settlements/commands/charges-by-operator.ts';
import type { SyncConfig } from '../../features/rent-sync/rules/sync-config.ts';
import { configName } from '../../features/rent-sync/rules/sync-names.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { createLog } from '../../log.ts';
import { CommandError } from '../command-error.ts';
import { selectBankId } from '../select-banks.ts';
import { selectTenant } from '../select-tenants.ts';
import { explainFailures } from '../storage-failures.ts';

type SyncOptions = {
  readonly tenant: string;
  readonly source: string;
  readonly bank?: string;
  readonly config?: string;
  readonly once?: boolean;
  /** Seconds. */
  readonly settle: number;
  readonly interval: number;
  readonly exportEvery: number;
};

export async function sync(config: Config, options: SyncOptions): Promise<void> {
  const tenant = selectTenant(config.tenants, options.tenant);
  const bankId = options.bank === undefined ? undefined : selectBankId(tenant.name, options.bank);
  const folder = resolve(options.source);
  const lock = await takeFolder(folder);
  const databases = openDatabases(config.storage);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  // A second signal ends the process at once.
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    const clock = (): number => toMs2000(Date.now());
    const operator = { database: databases.forTenant(tenant.name), tenant, clock, command: 'sync' };
    const syncConfig = await explainFailures(databases, tenant.name, () => readConfig(operator, options, bankId));
    const log = createLog(config.logLevel);
    const folderSync = await openSync(folder, { operator, syncConfig, log, options, signal: stopping.signal });
    if (options.once === true) await syncOnce(folderSync, options, { log, signal: stopping.signal });
    else await syncUntilStopped(folderSync, options, stopping.signal);
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await databases.close();
    lock.release();
  }
}

async function takeFolder(folder: string) {
  try {
    await listFiles(folder);
    await prepareFolders(folder);
    const lock = lockFolder(folder);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw new CommandError(`--source ${folder}: ${(error as Error).message}`, 1);
  }
  throw new CommandError(`--source ${folder}: another sync has the folder`, 1);
}

async function readConfig(
  operator: OperatorImports,
  { source, config }: SyncOptions,
  bankId: number | undefined,
): Promise<SyncConfig> {
  const path = config ?? join(source, configName);
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`);
  }
  const parsed = await readSyncConfig(operator, document, bankId);
  if ('config' in parsed) return parsed.config;
  const errors = parsed.errors.map((each) => `${each.path} ${each.message}`);
  throw new CommandError(`${path}: ${errors.join('; ')}`);
}

type Opened = {
  readonly operator: OperatorImports;
  readonly syncConfig: SyncConfig;
  readonly log: Logger;
  readonly options: SyncOptions;
  readonly signal: AbortSignal;
};

async function openSync(folder: string, opened: Opened): Promise<FolderSync> {
  const { operator, syncConfig: config, log, options, signal } = opened;
  const { worker } = await readSyncState(folder);
  const [settleMs, intervalMs] = [options.settle * 1000, options.interval * 1000];
  const monotonicMs = (): number => performance.now();
  return createFolderSync({
    operator,
    folder,
    chargesSource: createChargesSource(operator),
    work: { worker, signal },
    config,
    log,
    settleMs,
    intervalMs,
    monotonicMs,
  });
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  pause(seconds * 1000, undefined, { signal }).catch(() => undefined);

async function syncOnce(
  folderSync: FolderSync,
  { settle }: SyncOptions,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  let last = await folderSync.takeFiles();
  let { failed } = last;
  if (last.waiting.length > 0) {
    await wait(settle, signal);
    last = await folderSync.takeFiles();
    failed += last.failed;
  }
  for (const file of last.waiting) log.info({ file }, 'a file is not complete yet, and is left for the next run');
  failed += last.troubled + (await folderSync.writeExports());
  if (signal.aborted) throw new CommandError('stopped before all was done', 1);
  if (failed > 0) throw new CommandError(`${failed} files could not be applied or written: the log has the reasons`, 1);
}

async function syncUntilStopped(
  folderSync: FolderSync,
  { interval, exportEvery }: SyncOptions,
  signal: AbortSignal,
): Promise<void> {
  process.stdout.write(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready' })}\n`);
  let exportedMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const { taken } = await folderSync.takeFiles();
    if (taken > 0 || performance.now() - exportedMs >= exportEvery * 1000) {
      await folderSync.writeExports();
      exportedMs = performance.now();
    }
    await wait(interval, signal);
  }
}
