// Keeps a tenant in step with the files that another system leaves in a folder: takes what is complete, in order, each file
// once, and writes what is due.

import type { Logger } from 'pino';
import { orderOf, retryDelayMs, selectFiles, watchFiles } from '../rules/settled-files.ts';
import type { SelectedFiles, TakenFile, WatchedFiles } from '../rules/settled-files.ts';
import type { SyncConfig } from '../rules/sync-config.ts';
import type { SyncReport } from '../rules/sync-report.ts';
import { writeDueCharges, type ChargesSource } from './sync-charges.ts';
import { syncFile, type SyncWork } from './sync-file.ts';
import { listFiles } from './sync-files.ts';
import { writeOutgoing } from './sync-out.ts';

type FolderSyncOptions = SyncWork & {
  readonly config: SyncConfig;
  readonly chargesSource: ChargesSource;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** How long a file has to stay as it is before it is taken. */
  readonly settleMs: number;
  /** After a failure that is none of the file, it is tried again after this time, then after longer ones. */
  readonly intervalMs: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicMs: () => number;
};

type LookResult = {
  readonly taken: number;
  /** The files among them that were not applied. */
  readonly failed: number;
  /** Files that could not be worked on, and are tried again. */
  readonly troubled: number;
  /** Files that may not be complete. */
  readonly waiting: readonly string[];
};

export type FolderSync = {
  /** Takes the files that are complete. Throws nothing that another look could do. */
  takeFiles(): Promise<LookResult>;
  /** Writes the exports that have changed, and the charges that are due; returns how many could not be written. */
  writeExports(): Promise<number>;
};

type Retry = { readonly attempts: number; readonly fromMs: number };

export function createFolderSync(options: FolderSyncOptions): FolderSync {
  const { folder, work, config, log, settleMs, intervalMs, monotonicMs } = options;
  let watched: WatchedFiles = new Map();
  let said: ReadonlySet<string> = new Set();
  const retries = new Map<string, Retry>();

  const sayOthers = (others: SelectedFiles['others']): void => {
    for (const { name, reason } of others)
      if (!said.has(name)) log.warn({ file: name, reason }, 'a file stays where it is');
    said = new Set(others.map(({ name }) => name));
  };
  const take = async (taken: TakenFile): Promise<'done' | 'failed' | 'left'> => {
    const { name } = taken.file;
    try {
      const end = await syncFile(options, taken);
      retries.delete(name);
      if ('left' in end) {
        log.info({ file: name, reason: end.left }, 'a file is left for later');
        return 'left';
      }
      logReport(log, end.report);
      return end.report.result === 'failed' ? 'failed' : 'done';
    } catch (error) {
      const attempts = (retries.get(name)?.attempts ?? 0) + 1;
      retries.set(name, { attempts, fromMs: monotonicMs() + retryDelayMs(attempts, intervalMs) });
      log.error({ file: name, err: error, attempts }, 'a file could not be worked on, and is left for later');
      return 'left';
    }
  };
  const takeAll = async ({ ready, waiting }: SelectedFiles): Promise<LookResult> => {
    const held = new Set<string>();
    const counts = { done: 0, failed: 0, left: 0 };
    for (const taken of ready) {
      if (work.signal.aborted) break;
      const order = orderOf(taken.incoming);
      // An older state must not follow a newer one.
      if (held.has(order)) continue;
      const isTooEarly = (retries.get(taken.file.name)?.fromMs ?? 0) > monotonicMs();
      const end = isTooEarly ? 'left' : await take(taken);
      counts[end] += 1;
      if (end === 'left') held.add(order);
    }
    return { taken: counts.done + counts.failed, failed: counts.failed, troubled: retries.size, waiting };
  };
  return {
    takeFiles: async () => {
      try {
        watched = watchFiles(watched, await listFiles(folder), monotonicMs());
      } catch (error) {
        log.error({ folder, err: error }, 'the folder cannot be read');
        return { taken: 0, failed: 0, troubled: 1, waiting: [] };
      }
      for (const name of retries.keys()) if (!watched.has(name)) retries.delete(name);
      const selected = selectFiles(config.incoming, watched, { nowMs: monotonicMs(), settleMs });
      sayOthers(selected.others);
      return takeAll(selected);
    },
    writeExports: () => writeExports(options),
  };
}

async function writeExports(options: FolderSyncOptions): Promise<number> {
  const { operator, folder, work, config, log } = options;
  let failed = await writeCharges(options);
  for (const outgoing of config.outgoing) {
    if (work.signal.aborted) break;
    try {
      const name = await writeOutgoing(operator, folder, outgoing);
      if (name !== undefined) log.info({ file: name, kind: outgoing.kind }, 'an export was written');
    } catch (error) {
      failed += 1;
      log.error({ file: outgoing.file, err: error }, 'an export could not be written');
    }
  }
  return failed;
}

async function writeCharges({
  operator,
  folder,
  work,
  config,
  chargesSource,
  log,
}: FolderSyncOptions): Promise<number> {
  let failed = 0;
  for (const charges of config.charges) {
    if (work.signal.aborted) break;
    const { bankId, file } = charges;
    try {
      for await (const name of writeDueCharges({ operator, folder, chargesSource, signal: work.signal }, charges))
        log.info({ file: name, bank: bankId }, 'charges were written');
    } catch (error) {
      failed += 1;
      log.error({ file, bank: bankId, err: error }, 'charges could not be written');
    }
  }
  return failed;
}

function logReport(log: FolderSyncOptions['log'], { file, result, reason, import: imported }: SyncReport): void {
  const details = {
    file,
    result,
    ...(reason === null ? {} : { code: reason.code, reason: reason.text }),
    ...(imported === null ? {} : { import: imported.kid, plan: imported.counts, done: imported.outcomes }),
  };
  if (result === 'failed') log.error(details, 'a file was not applied');
  else log.info(details, 'a file is done');
}
